# Written from docs/openapi.json by `npm run openapi`. Do not edit.
"""A method for each operation of the API, with its name."""

from __future__ import annotations

import datetime
from typing import Any, Mapping, Optional, Sequence, Union

from .asking import Asking, Fields
from .pages import Pages
from .resources import (
    AlertRule,
    ApiKey,
    AttentionEntry,
    AttentionItem,
    AuditEvent,
    Calendar,
    Change,
    ChargeTerms,
    CodeMapping,
    ColumnMap,
    Container,
    CustomField,
    CustomFieldDefinition,
    CustomFieldOption,
    Document,
    DocumentSchema,
    EmailSubmission,
    EtaOutcome,
    EtaScore,
    Event,
    Expectation,
    Import,
    ImportRow,
    InboundMessage,
    Invitation,
    InvoiceAudit,
    Issue,
    Job,
    LedgerRoot,
    Mailbox,
    MailboxSender,
    Member,
    MetroArea,
    Note,
    Party,
    PartyRole,
    Port,
    RailTerminal,
    RawEvent,
    Route,
    SavedView,
    SearchResult,
    ShareLink,
    Shipment,
    ShipmentEta,
    ShippingLine,
    Snapshot,
    Source,
    SourceScorecard,
    Statement,
    Terminal,
    TrackingAttempt,
    TrackingRequest,
    TrackingRequestBatch,
    TransportEvent,
    UnmappedCode,
    Usage,
    Vessel,
    Webhook,
    WebhookEventCategory,
    WebhookNotification,
)

Body = Union[str, bytes]
Time = Union[str, datetime.datetime, None]


class Operations(Asking):
    def list_tracking_requests(
        self,
        *,
        q: Optional[str] = None,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[TrackingRequest]:
        """List tracking requests, newest first.
        `GET /v2/tracking_requests`
        """
        return self._many("GET", "/v2/tracking_requests", (), {"q": q, "filter": filter, "page": page, "sort": sort, "include": include, "fields": fields})

    def create_tracking_request(
        self,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> TrackingRequest:
        """Track a bill of lading, booking or container number.
        `POST /v2/tracking_requests`
        """
        return self._one("POST", "/v2/tracking_requests", (), {"include": include, "fields": fields}, kind="tracking_request", body=attributes, idempotency_key=idempotency_key)

    def list_shipments(
        self,
        *,
        q: Optional[str] = None,
        filter: Optional[Mapping[str, Any]] = None,
        number: Optional[str] = None,
        tracking_stopped: Optional[bool] = None,
        flag: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Shipment]:
        """List shipments, newest first.
        `GET /v2/shipments`
        """
        return self._many("GET", "/v2/shipments", (), {"q": q, "filter": filter, "number": number, "tracking_stopped": tracking_stopped, "flag": flag, "page": page, "sort": sort, "include": include, "fields": fields})

    def summarize_shipments(
        self,
        *,
        q: Optional[str] = None,
        filter: Optional[Mapping[str, Any]] = None,
        number: Optional[str] = None,
        tracking_stopped: Optional[bool] = None,
        group_by: Optional[str] = None,
    ) -> Any:
        """Count shipments by status, line, port or ship.
        `GET /v2/shipments/summary`
        """
        return self._json("GET", "/v2/shipments/summary", (), {"q": q, "filter": filter, "number": number, "tracking_stopped": tracking_stopped, "group_by": group_by})

    def list_containers(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Container]:
        """List containers, most recently changed first.
        `GET /v2/containers`
        """
        return self._many("GET", "/v2/containers", (), {"filter": filter, "page": page, "sort": sort, "include": include, "fields": fields})

    def update_container_in_body(
        self,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> Container:
        """Change the container that the body names.
        `PATCH /v2/containers`
        """
        return self._one("PATCH", "/v2/containers", (), {"include": include, "fields": fields}, kind="container", body=attributes, if_match=if_match)

    def summarize_containers(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        group_by: Optional[str] = None,
    ) -> Any:
        """Count containers by status, terminal, line, port or ship.
        `GET /v2/containers/summary`
        """
        return self._json("GET", "/v2/containers/summary", (), {"filter": filter, "group_by": group_by})

    def list_attention(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[AttentionItem]:
        """List what needs a person, the most urgent first.
        `GET /v2/attention`
        """
        return self._many("GET", "/v2/attention", (), {"filter": filter, "page": page, "sort": sort, "include": include, "fields": fields})

    def snooze_attention(
        self,
        id: str,
        document: Any,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> AttentionItem:
        """Set an item aside for a time.
        `POST /v2/attention/{id}/snooze`
        """
        return self._one("POST", "/v2/attention/{id}/snooze", (id,), {"include": include, "fields": fields}, kind="json", body=document, idempotency_key=idempotency_key)

    def end_attention_snooze(
        self,
        id: str,
    ) -> None:
        """Show an item again that was set aside.
        `DELETE /v2/attention/{id}/snooze`
        """
        self._nothing("DELETE", "/v2/attention/{id}/snooze", (id,), {})

    def list_attention_entries(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        time_zone: Optional[str] = None,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[AttentionEntry]:
        """List containers, shipments and requests that need a person, by the day of action.
        `GET /v2/attention_entries`
        """
        return self._many("GET", "/v2/attention_entries", (), {"filter": filter, "time_zone": time_zone, "page": page, "include": include, "fields": fields})

    def get_attention_entry(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> AttentionEntry:
        """Get an entry of the inbox.
        `GET /v2/attention_entries/{id}`
        """
        return self._one("GET", "/v2/attention_entries/{id}", (id,), {"include": include, "fields": fields})

    def update_attention_entry(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> AttentionEntry:
        """Mark an entry as done, set it aside, or assign it to a member.
        `PATCH /v2/attention_entries/{id}`
        """
        return self._one("PATCH", "/v2/attention_entries/{id}", (id,), {"include": include, "fields": fields}, kind="attention_entry", body=attributes, if_match=if_match)

    def list_alert_rules(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[AlertRule]:
        """List the alert rules, the oldest first.
        `GET /v2/alert_rules`
        """
        return self._many("GET", "/v2/alert_rules", (), {"fields": fields})

    def create_alert_rule(
        self,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> AlertRule:
        """Create an alert rule that sends exceptions by mail or to a chat.
        `POST /v2/alert_rules`
        """
        return self._one("POST", "/v2/alert_rules", (), {"fields": fields}, kind="alert_rule", body=attributes, idempotency_key=idempotency_key)

    def get_alert_rule(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> AlertRule:
        """Get an alert rule.
        `GET /v2/alert_rules/{id}`
        """
        return self._one("GET", "/v2/alert_rules/{id}", (id,), {"fields": fields})

    def update_alert_rule(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> AlertRule:
        """Change an alert rule.
        `PATCH /v2/alert_rules/{id}`
        """
        return self._one("PATCH", "/v2/alert_rules/{id}", (id,), {"fields": fields}, kind="alert_rule", body=attributes, if_match=if_match)

    def delete_alert_rule(
        self,
        id: str,
    ) -> None:
        """Delete an alert rule.
        `DELETE /v2/alert_rules/{id}`
        """
        self._nothing("DELETE", "/v2/alert_rules/{id}", (id,), {})

    def test_alert_rule(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Send a sample message of an alert rule.
        `POST /v2/alert_rules/{id}/test`
        """
        return self._json("POST", "/v2/alert_rules/{id}/test", (id,), {}, idempotency_key=idempotency_key)

    def get_tracking_request(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> TrackingRequest:
        """Get a tracking request.
        `GET /v2/tracking_requests/{id}`
        """
        return self._one("GET", "/v2/tracking_requests/{id}", (id,), {"include": include, "fields": fields})

    def update_tracking_request(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> TrackingRequest:
        """Change the reference numbers of a tracking request.
        `PATCH /v2/tracking_requests/{id}`
        """
        return self._one("PATCH", "/v2/tracking_requests/{id}", (id,), {"include": include, "fields": fields}, kind="tracking_request", body=attributes, if_match=if_match)

    def correct_tracking_request(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> TrackingRequest:
        """Request the same with the right line, number or kind.
        `POST /v2/tracking_requests/{id}/correct`
        """
        return self._one("POST", "/v2/tracking_requests/{id}/correct", (id,), {"include": include, "fields": fields}, kind="tracking_request", body=attributes, idempotency_key=idempotency_key)

    def get_shipment(
        self,
        id: str,
        *,
        as_of: Time = None,
        provenance: Optional[bool] = None,
        flag: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Shipment:
        """Get a shipment.
        `GET /v2/shipments/{id}`
        """
        return self._one("GET", "/v2/shipments/{id}", (id,), {"as_of": as_of, "provenance": provenance, "flag": flag, "include": include, "fields": fields})

    def update_shipment(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> Shipment:
        """Change the reference numbers and tags of a shipment.
        `PATCH /v2/shipments/{id}`
        """
        return self._one("PATCH", "/v2/shipments/{id}", (id,), {"include": include, "fields": fields}, kind="shipment", body=attributes, if_match=if_match)

    def stop_tracking(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> Shipment:
        """Stop tracking a shipment.
        `PATCH /v2/shipments/{id}/stop_tracking`
        """
        return self._one("PATCH", "/v2/shipments/{id}/stop_tracking", (id,), {"include": include, "fields": fields}, if_match=if_match)

    def resume_tracking(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> Shipment:
        """Resume tracking a shipment.
        `PATCH /v2/shipments/{id}/resume_tracking`
        """
        return self._one("PATCH", "/v2/shipments/{id}/resume_tracking", (id,), {"include": include, "fields": fields}, if_match=if_match)

    def list_shipment_etas(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[ShipmentEta]:
        """List every estimated arrival of a shipment.
        `GET /v2/shipments/{id}/etas`
        """
        return self._many("GET", "/v2/shipments/{id}/etas", (id,), {"page": page, "fields": fields})

    def list_shipment_expectations(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Expectation]:
        """List what should happen next to the containers of a shipment.
        `GET /v2/shipments/{id}/expectations`
        """
        return self._many("GET", "/v2/shipments/{id}/expectations", (id,), {"page": page, "include": include, "fields": fields})

    def get_fleet(
        self,
        *,
        q: Optional[str] = None,
        filter: Optional[Mapping[str, Any]] = None,
        number: Optional[str] = None,
        tracking_stopped: Optional[bool] = None,
    ) -> Any:
        """Get all ships and boxes under way as GeoJSON.
        `GET /v2/fleet`
        """
        return self._json("GET", "/v2/fleet", (), {"q": q, "filter": filter, "number": number, "tracking_stopped": tracking_stopped})

    def get_container(
        self,
        id: str,
        *,
        as_of: Time = None,
        provenance: Optional[bool] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Container:
        """Get a container.
        `GET /v2/containers/{id}`
        """
        return self._one("GET", "/v2/containers/{id}", (id,), {"as_of": as_of, "provenance": provenance, "include": include, "fields": fields})

    def update_container(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> Container:
        """Change the reference numbers of a container, or report that it was delivered.
        `PATCH /v2/containers/{id}`
        """
        return self._one("PATCH", "/v2/containers/{id}", (id,), {"include": include, "fields": fields}, kind="container", body=attributes, if_match=if_match)

    def get_pickup_number(
        self,
        id: str,
    ) -> Any:
        """Get the pick-up number of a container.
        `GET /v2/containers/{id}/pickup_number`
        """
        return self._json("GET", "/v2/containers/{id}/pickup_number", (id,), {})

    def refresh_container(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Any:
        """Poll the sources of a container now.
        `PATCH /v2/containers/{id}/refresh`
        """
        return self._json("PATCH", "/v2/containers/{id}/refresh", (id,), {}, if_match=if_match)

    def list_transport_events(
        self,
        id: str,
        *,
        show_invalidated: Optional[bool] = None,
        as_of: Time = None,
        provenance: Optional[bool] = None,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[TransportEvent]:
        """List the transport events of a container.
        `GET /v2/containers/{id}/transport_events`
        """
        return self._many("GET", "/v2/containers/{id}/transport_events", (id,), {"show_invalidated": show_invalidated, "as_of": as_of, "provenance": provenance, "page": page, "include": include, "fields": fields})

    def list_raw_events(
        self,
        id: str,
        *,
        as_of: Time = None,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[RawEvent]:
        """List every event that any source stated about a container.
        `GET /v2/containers/{id}/raw_events`
        """
        return self._many("GET", "/v2/containers/{id}/raw_events", (id,), {"as_of": as_of, "page": page, "include": include, "fields": fields})

    def list_statements(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Statement]:
        """List the statements of people about a container, newest first.
        `GET /v2/containers/{id}/statements`
        """
        return self._many("GET", "/v2/containers/{id}/statements", (id,), {"page": page, "include": include, "fields": fields})

    def create_statement(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> Statement:
        """State a fact about a container.
        `POST /v2/containers/{id}/statements`
        """
        return self._one("POST", "/v2/containers/{id}/statements", (id,), {"include": include, "fields": fields}, kind="statement", body=attributes, idempotency_key=idempotency_key)

    def delete_statement(
        self,
        id: str,
        statement_id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Statement:
        """Take back a statement.
        `DELETE /v2/containers/{id}/statements/{statement_id}`
        """
        return self._one("DELETE", "/v2/containers/{id}/statements/{statement_id}", (id, statement_id,), {"include": include, "fields": fields})

    def get_container_charges(
        self,
        id: str,
        *,
        until: Time = None,
        as_of: Time = None,
        fields: Fields = None,
    ) -> Any:
        """Get the charges of a container, day by day.
        `GET /v2/containers/{id}/charges`
        """
        return self._one("GET", "/v2/containers/{id}/charges", (id,), {"until": until, "as_of": as_of, "fields": fields})

    def list_charges(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        until: Time = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        fields: Fields = None,
    ) -> Pages[Any]:
        """Sum up the charges of containers.
        `GET /v2/charges`
        """
        return self._many("GET", "/v2/charges", (), {"filter": filter, "until": until, "after": after, "limit": limit, "fields": fields})

    def list_invoice_audits(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[InvoiceAudit]:
        """List audits of invoices, newest first.
        `GET /v2/invoices/audits`
        """
        return self._many("GET", "/v2/invoices/audits", (), {"filter": filter, "page": page, "sort": sort, "fields": fields})

    def audit_invoice(
        self,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> InvoiceAudit:
        """Audit an invoice for demurrage, detention or storage.
        `POST /v2/invoices/audits`
        """
        return self._one("POST", "/v2/invoices/audits", (), {"fields": fields}, kind="invoice_audit", body=attributes, idempotency_key=idempotency_key)

    def get_invoice_audit(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> InvoiceAudit:
        """Get the audit of an invoice.
        `GET /v2/invoices/audits/{id}`
        """
        return self._one("GET", "/v2/invoices/audits/{id}", (id,), {"fields": fields})

    def get_invoice_evidence(
        self,
        id: str,
    ) -> Any:
        """Get the signed evidence of an audit.
        `GET /v2/invoices/audits/{id}/evidence`
        """
        return self._json("GET", "/v2/invoices/audits/{id}/evidence", (id,), {})

    def get_invoice_evidence_paper(
        self,
        id: str,
    ) -> bytes:
        """Get the evidence of an audit as a PDF.
        `GET /v2/invoices/audits/{id}/evidence.pdf`
        """
        return self._bytes("GET", "/v2/invoices/audits/{id}/evidence.pdf", (id,), {})

    def list_ledger_roots(
        self,
        *,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[LedgerRoot]:
        """List roots of the ledger, newest first.
        `GET /v2/ledger_roots`
        """
        return self._many("GET", "/v2/ledger_roots", (), {"page": page, "sort": sort, "fields": fields})

    def get_ledger_root(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> LedgerRoot:
        """Get a root of the ledger.
        `GET /v2/ledger_roots/{id}`
        """
        return self._one("GET", "/v2/ledger_roots/{id}", (id,), {"fields": fields})

    def get_evidence_keys(
        self,
    ) -> bytes:
        """Get the keys with which evidence is signed.
        `GET /.well-known/landfall-evidence-keys.json`
        """
        return self._bytes("GET", "/.well-known/landfall-evidence-keys.json", (), {})

    def list_charge_terms(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[ChargeTerms]:
        """List terms of free time by code.
        `GET /v2/charge_terms`
        """
        return self._many("GET", "/v2/charge_terms", (), {"fields": fields})

    def create_charge_terms(
        self,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> ChargeTerms:
        """Record terms of free time.
        `POST /v2/charge_terms`
        """
        return self._one("POST", "/v2/charge_terms", (), {"fields": fields}, kind="charge_terms", body=attributes, idempotency_key=idempotency_key)

    def get_charge_terms(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> ChargeTerms:
        """Get terms of free time with all their versions.
        `GET /v2/charge_terms/{id}`
        """
        return self._one("GET", "/v2/charge_terms/{id}", (id,), {"fields": fields})

    def list_calendars(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[Calendar]:
        """List calendars by code.
        `GET /v2/calendars`
        """
        return self._many("GET", "/v2/calendars", (), {"fields": fields})

    def create_calendar(
        self,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> Calendar:
        """Record a calendar.
        `POST /v2/calendars`
        """
        return self._one("POST", "/v2/calendars", (), {"fields": fields}, kind="calendar", body=attributes, idempotency_key=idempotency_key)

    def get_calendar(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> Calendar:
        """Get a calendar with all its versions.
        `GET /v2/calendars/{id}`
        """
        return self._one("GET", "/v2/calendars/{id}", (id,), {"fields": fields})

    def list_shipping_lines(
        self,
        *,
        search: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[ShippingLine]:
        """List the shipping lines that can be tracked.
        `GET /v2/shipping_lines`
        """
        return self._many("GET", "/v2/shipping_lines", (), {"search": search, "fields": fields})

    def get_shipping_line(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> ShippingLine:
        """Get a shipping line.
        `GET /v2/shipping_lines/{id}`
        """
        return self._one("GET", "/v2/shipping_lines/{id}", (id,), {"fields": fields})

    def list_sources(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[Source]:
        """List the sources: carriers that are polled and partners that send data.
        `GET /v2/sources`
        """
        return self._many("GET", "/v2/sources", (), {"fields": fields})

    def get_source(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> Source:
        """Get a source.
        `GET /v2/sources/{id}`
        """
        return self._one("GET", "/v2/sources/{id}", (id,), {"fields": fields})

    def list_connection_targets(
        self,
    ) -> Any:
        """List the carriers, terminals and railroads that can be connected.
        `GET /v2/connection_targets`
        """
        return self._json("GET", "/v2/connection_targets", (), {})

    def get_connection_target(
        self,
        id: str,
    ) -> Any:
        """Get what a connection needs, and where to get it.
        `GET /v2/connection_targets/{id}`
        """
        return self._json("GET", "/v2/connection_targets/{id}", (id,), {})

    def connect_target(
        self,
        document: Any,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Try the access to a carrier, terminal or railroad, and store it for this account.
        `POST /v2/connections`
        """
        return self._json("POST", "/v2/connections", (), {}, kind="json", body=document, idempotency_key=idempotency_key)

    def infer_number(
        self,
        document: Any,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Infer the kind and the carrier of a number (beta).
        `POST /v2/tracking_requests/infer_number`
        """
        return self._one("POST", "/v2/tracking_requests/infer_number", (), {}, kind="json", body=document, idempotency_key=idempotency_key)

    def get_inference_scorecard(
        self,
    ) -> Any:
        """Get how often inferred carriers were right (beta).
        `GET /v2/inference/scorecard`
        """
        return self._one("GET", "/v2/inference/scorecard", (), {})

    def list_inbound_messages(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[InboundMessage]:
        """List the messages that were sent to the channels of the account, newest first.
        `GET /v2/inbound_messages`
        """
        return self._many("GET", "/v2/inbound_messages", (), {"filter": filter, "page": page, "sort": sort, "fields": fields})

    def get_inbound_message(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> InboundMessage:
        """Get a message, with the result of each part.
        `GET /v2/inbound_messages/{id}`
        """
        return self._one("GET", "/v2/inbound_messages/{id}", (id,), {"fields": fields})

    def download_inbound_message(
        self,
        id: str,
    ) -> bytes:
        """Download a message as it was received.
        `GET /v2/inbound_messages/{id}/body`
        """
        return self._bytes("GET", "/v2/inbound_messages/{id}/body", (id,), {})

    def download_inbound_acknowledgement(
        self,
        id: str,
    ) -> bytes:
        """Download the acknowledgement of a message.
        `GET /v2/inbound_messages/{id}/acknowledgement`
        """
        return self._bytes("GET", "/v2/inbound_messages/{id}/acknowledgement", (id,), {})

    def replay_inbound_message(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Read a message again.
        `POST /v2/inbound_messages/{id}/replay`
        """
        return self._json("POST", "/v2/inbound_messages/{id}/replay", (id,), {}, idempotency_key=idempotency_key)

    def get_container_route(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Route:
        """Get the route of a container.
        `GET /v2/containers/{id}/route`
        """
        return self._one("GET", "/v2/containers/{id}/route", (id,), {"include": include, "fields": fields})

    def get_container_map(
        self,
        id: str,
    ) -> Any:
        """Get the route of a container as GeoJSON.
        `GET /v2/containers/{id}/map_geojson`
        """
        return self._json("GET", "/v2/containers/{id}/map_geojson", (id,), {})

    def get_future_positions(
        self,
        id: str,
        *,
        port_id: Optional[str] = None,
        previous_port_id: Optional[str] = None,
        fields: Fields = None,
    ) -> Vessel:
        """Get the expected positions of a vessel.
        `GET /v2/vessels/{id}/future_positions`
        """
        return self._one("GET", "/v2/vessels/{id}/future_positions", (id,), {"port_id": port_id, "previous_port_id": previous_port_id, "fields": fields})

    def get_future_positions_with_coordinates(
        self,
        id: str,
        *,
        port_id: Optional[str] = None,
        previous_port_id: Optional[str] = None,
        latitude: Optional[float] = None,
        longitude: Optional[float] = None,
        fields: Fields = None,
    ) -> Vessel:
        """Get the expected positions of a vessel from given coordinates.
        `GET /v2/vessels/{id}/future_positions_with_coordinates`
        """
        return self._one("GET", "/v2/vessels/{id}/future_positions_with_coordinates", (id,), {"port_id": port_id, "previous_port_id": previous_port_id, "latitude": latitude, "longitude": longitude, "fields": fields})

    def list_parties(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        query: Optional[str] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[Party]:
        """List parties, newest first.
        `GET /v2/parties`
        """
        return self._many("GET", "/v2/parties", (), {"filter": filter, "query": query, "page": page, "sort": sort, "fields": fields})

    def create_party(
        self,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> Party:
        """Create a party: a company for which you track.
        `POST /v2/parties`
        """
        return self._one("POST", "/v2/parties", (), {"fields": fields}, kind="party", body=attributes, idempotency_key=idempotency_key)

    def get_party(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> Party:
        """Get a party.
        `GET /v2/parties/{id}`
        """
        return self._one("GET", "/v2/parties/{id}", (id,), {"fields": fields})

    def update_party(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> Party:
        """Change the name of a party.
        `PATCH /v2/parties/{id}`
        """
        return self._one("PATCH", "/v2/parties/{id}", (id,), {"fields": fields}, kind="party", body=attributes, if_match=if_match)

    def list_shipment_party_roles(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[PartyRole]:
        """List the parties of a shipment with their roles.
        `GET /v2/shipments/{id}/party_roles`
        """
        return self._many("GET", "/v2/shipments/{id}/party_roles", (id,), {"page": page, "include": include, "fields": fields})

    def create_shipment_party_role(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> PartyRole:
        """Give a party a role on a shipment.
        `POST /v2/shipments/{id}/party_roles`
        """
        return self._one("POST", "/v2/shipments/{id}/party_roles", (id,), {"include": include, "fields": fields}, kind="party_role", body=attributes, idempotency_key=idempotency_key)

    def delete_shipment_party_role(
        self,
        id: str,
        role_id: str,
    ) -> None:
        """Remove a role on a shipment.
        `DELETE /v2/shipments/{id}/party_roles/{role_id}`
        """
        self._nothing("DELETE", "/v2/shipments/{id}/party_roles/{role_id}", (id, role_id,), {})

    def list_container_party_roles(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[PartyRole]:
        """List the parties of a container with their roles.
        `GET /v2/containers/{id}/party_roles`
        """
        return self._many("GET", "/v2/containers/{id}/party_roles", (id,), {"page": page, "include": include, "fields": fields})

    def create_container_party_role(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> PartyRole:
        """Give a party a role on a container.
        `POST /v2/containers/{id}/party_roles`
        """
        return self._one("POST", "/v2/containers/{id}/party_roles", (id,), {"include": include, "fields": fields}, kind="party_role", body=attributes, idempotency_key=idempotency_key)

    def delete_container_party_role(
        self,
        id: str,
        role_id: str,
    ) -> None:
        """Remove a role on a container.
        `DELETE /v2/containers/{id}/party_roles/{role_id}`
        """
        self._nothing("DELETE", "/v2/containers/{id}/party_roles/{role_id}", (id, role_id,), {})

    def list_tracking_request_party_roles(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[PartyRole]:
        """List the parties of a tracking request with their roles.
        `GET /v2/tracking_requests/{id}/party_roles`
        """
        return self._many("GET", "/v2/tracking_requests/{id}/party_roles", (id,), {"page": page, "include": include, "fields": fields})

    def create_tracking_request_party_role(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> PartyRole:
        """Give a party a role on a tracking request.
        `POST /v2/tracking_requests/{id}/party_roles`
        """
        return self._one("POST", "/v2/tracking_requests/{id}/party_roles", (id,), {"include": include, "fields": fields}, kind="party_role", body=attributes, idempotency_key=idempotency_key)

    def delete_tracking_request_party_role(
        self,
        id: str,
        role_id: str,
    ) -> None:
        """Remove a role on a tracking request.
        `DELETE /v2/tracking_requests/{id}/party_roles/{role_id}`
        """
        self._nothing("DELETE", "/v2/tracking_requests/{id}/party_roles/{role_id}", (id, role_id,), {})

    def list_custom_field_definitions(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        entity_type: Optional[str] = None,
        data_type: Optional[str] = None,
        display_name: Optional[str] = None,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[CustomFieldDefinition]:
        """List custom field definitions, newest first.
        `GET /v2/custom_field_definitions`
        """
        return self._many("GET", "/v2/custom_field_definitions", (), {"filter": filter, "entity_type": entity_type, "data_type": data_type, "display_name": display_name, "page": page, "include": include, "fields": fields})

    def create_custom_field_definition(
        self,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> CustomFieldDefinition:
        """Define a custom field.
        `POST /v2/custom_field_definitions`
        """
        return self._one("POST", "/v2/custom_field_definitions", (), {"include": include, "fields": fields}, kind="custom_field_definition", body=attributes, idempotency_key=idempotency_key)

    def get_custom_field_definition(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> CustomFieldDefinition:
        """Get a custom field definition.
        `GET /v2/custom_field_definitions/{id}`
        """
        return self._one("GET", "/v2/custom_field_definitions/{id}", (id,), {"include": include, "fields": fields})

    def update_custom_field_definition(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> CustomFieldDefinition:
        """Change a custom field definition.
        `PATCH /v2/custom_field_definitions/{id}`
        """
        return self._one("PATCH", "/v2/custom_field_definitions/{id}", (id,), {"include": include, "fields": fields}, kind="custom_field_definition", body=attributes, if_match=if_match)

    def delete_custom_field_definition(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> CustomFieldDefinition:
        """Delete a custom field.
        `DELETE /v2/custom_field_definitions/{id}`
        """
        return self._one("DELETE", "/v2/custom_field_definitions/{id}", (id,), {"include": include, "fields": fields})

    def list_custom_field_options(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[CustomFieldOption]:
        """List the options of a custom field, in their order.
        `GET /v2/custom_field_definitions/{id}/options`
        """
        return self._many("GET", "/v2/custom_field_definitions/{id}/options", (id,), {"page": page, "fields": fields})

    def create_custom_field_option(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> CustomFieldOption:
        """Add an option to an enum or enum_multi field.
        `POST /v2/custom_field_definitions/{id}/options`
        """
        return self._one("POST", "/v2/custom_field_definitions/{id}/options", (id,), {"fields": fields}, kind="custom_field_option", body=attributes, idempotency_key=idempotency_key)

    def get_custom_field_option(
        self,
        id: str,
        option_id: str,
        *,
        fields: Fields = None,
    ) -> CustomFieldOption:
        """Get an option.
        `GET /v2/custom_field_definitions/{id}/options/{option_id}`
        """
        return self._one("GET", "/v2/custom_field_definitions/{id}/options/{option_id}", (id, option_id,), {"fields": fields})

    def update_custom_field_option(
        self,
        id: str,
        option_id: str,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> CustomFieldOption:
        """Change an option.
        `PATCH /v2/custom_field_definitions/{id}/options/{option_id}`
        """
        return self._one("PATCH", "/v2/custom_field_definitions/{id}/options/{option_id}", (id, option_id,), {"fields": fields}, kind="custom_field_option", body=attributes, if_match=if_match)

    def delete_custom_field_option(
        self,
        id: str,
        option_id: str,
        *,
        fields: Fields = None,
    ) -> CustomFieldOption:
        """Remove an option.
        `DELETE /v2/custom_field_definitions/{id}/options/{option_id}`
        """
        return self._one("DELETE", "/v2/custom_field_definitions/{id}/options/{option_id}", (id, option_id,), {"fields": fields})

    def list_custom_fields(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        entity_type: Optional[str] = None,
        entity_id: Optional[str] = None,
        definition_id: Optional[str] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[CustomField]:
        """List the values of custom fields, newest first.
        `GET /v2/custom_fields`
        """
        return self._many("GET", "/v2/custom_fields", (), {"filter": filter, "entity_type": entity_type, "entity_id": entity_id, "definition_id": definition_id, "page": page, "sort": sort, "include": include, "fields": fields})

    def create_custom_field(
        self,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> CustomField:
        """Set a custom field of a shipment, container or tracking request.
        `POST /v2/custom_fields`
        """
        return self._one("POST", "/v2/custom_fields", (), {"include": include, "fields": fields}, kind="custom_field", body=attributes, idempotency_key=idempotency_key)

    def get_custom_field(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> CustomField:
        """Get a custom field.
        `GET /v2/custom_fields/{id}`
        """
        return self._one("GET", "/v2/custom_fields/{id}", (id,), {"include": include, "fields": fields})

    def update_custom_field(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> CustomField:
        """Change the value of a custom field.
        `PATCH /v2/custom_fields/{id}`
        """
        return self._one("PATCH", "/v2/custom_fields/{id}", (id,), {"include": include, "fields": fields}, kind="custom_field", body=attributes, if_match=if_match)

    def delete_custom_field(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> CustomField:
        """Delete the value of a custom field.
        `DELETE /v2/custom_fields/{id}`
        """
        return self._one("DELETE", "/v2/custom_fields/{id}", (id,), {"include": include, "fields": fields})

    def list_shipment_custom_fields(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[CustomField]:
        """List the custom fields of a shipment, newest first.
        `GET /v2/shipments/{id}/custom_fields`
        """
        return self._many("GET", "/v2/shipments/{id}/custom_fields", (id,), {"page": page, "sort": sort, "include": include, "fields": fields})

    def set_shipment_custom_field(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> CustomField:
        """Set a custom field of a shipment.
        `POST /v2/shipments/{id}/custom_fields`
        """
        return self._one("POST", "/v2/shipments/{id}/custom_fields", (id,), {"include": include, "fields": fields}, kind="custom_field", body=attributes, idempotency_key=idempotency_key)

    def update_shipment_custom_field(
        self,
        id: str,
        api_slug: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> CustomField:
        """Change a custom field of a shipment.
        `PATCH /v2/shipments/{id}/custom_fields/{api_slug}`
        """
        return self._one("PATCH", "/v2/shipments/{id}/custom_fields/{api_slug}", (id, api_slug,), {"include": include, "fields": fields}, kind="custom_field", body=attributes, if_match=if_match)

    def delete_shipment_custom_field(
        self,
        id: str,
        api_slug: str,
    ) -> None:
        """Delete the value of a custom field of a shipment.
        `DELETE /v2/shipments/{id}/custom_fields/{api_slug}`
        """
        self._nothing("DELETE", "/v2/shipments/{id}/custom_fields/{api_slug}", (id, api_slug,), {})

    def list_container_custom_fields(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[CustomField]:
        """List the custom fields of a container, newest first.
        `GET /v2/containers/{id}/custom_fields`
        """
        return self._many("GET", "/v2/containers/{id}/custom_fields", (id,), {"page": page, "sort": sort, "include": include, "fields": fields})

    def set_container_custom_field(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> CustomField:
        """Set a custom field of a container.
        `POST /v2/containers/{id}/custom_fields`
        """
        return self._one("POST", "/v2/containers/{id}/custom_fields", (id,), {"include": include, "fields": fields}, kind="custom_field", body=attributes, idempotency_key=idempotency_key)

    def update_container_custom_field(
        self,
        id: str,
        api_slug: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> CustomField:
        """Change a custom field of a container.
        `PATCH /v2/containers/{id}/custom_fields/{api_slug}`
        """
        return self._one("PATCH", "/v2/containers/{id}/custom_fields/{api_slug}", (id, api_slug,), {"include": include, "fields": fields}, kind="custom_field", body=attributes, if_match=if_match)

    def delete_container_custom_field(
        self,
        id: str,
        api_slug: str,
    ) -> None:
        """Delete the value of a custom field of a container.
        `DELETE /v2/containers/{id}/custom_fields/{api_slug}`
        """
        self._nothing("DELETE", "/v2/containers/{id}/custom_fields/{api_slug}", (id, api_slug,), {})

    def list_tracking_request_custom_fields(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[CustomField]:
        """List the custom fields of a tracking request, newest first.
        `GET /v2/tracking_requests/{id}/custom_fields`
        """
        return self._many("GET", "/v2/tracking_requests/{id}/custom_fields", (id,), {"page": page, "sort": sort, "include": include, "fields": fields})

    def set_tracking_request_custom_field(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> CustomField:
        """Set a custom field of a tracking request.
        `POST /v2/tracking_requests/{id}/custom_fields`
        """
        return self._one("POST", "/v2/tracking_requests/{id}/custom_fields", (id,), {"include": include, "fields": fields}, kind="custom_field", body=attributes, idempotency_key=idempotency_key)

    def update_tracking_request_custom_field(
        self,
        id: str,
        api_slug: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> CustomField:
        """Change a custom field of a tracking request.
        `PATCH /v2/tracking_requests/{id}/custom_fields/{api_slug}`
        """
        return self._one("PATCH", "/v2/tracking_requests/{id}/custom_fields/{api_slug}", (id, api_slug,), {"include": include, "fields": fields}, kind="custom_field", body=attributes, if_match=if_match)

    def delete_tracking_request_custom_field(
        self,
        id: str,
        api_slug: str,
    ) -> None:
        """Delete the value of a custom field of a tracking request.
        `DELETE /v2/tracking_requests/{id}/custom_fields/{api_slug}`
        """
        self._nothing("DELETE", "/v2/tracking_requests/{id}/custom_fields/{api_slug}", (id, api_slug,), {})

    def list_ports(
        self,
        *,
        q: Optional[str] = None,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Port]:
        """Find ports.
        `GET /v2/ports`
        """
        return self._many("GET", "/v2/ports", (), {"q": q, "filter": filter, "page": page, "include": include, "fields": fields})

    def get_port(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Port:
        """Get a port.
        `GET /v2/ports/{id}`
        """
        return self._one("GET", "/v2/ports/{id}", (id,), {"include": include, "fields": fields})

    def list_metro_areas(
        self,
        *,
        q: Optional[str] = None,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[MetroArea]:
        """Find metropolitan areas.
        `GET /v2/metro_areas`
        """
        return self._many("GET", "/v2/metro_areas", (), {"q": q, "filter": filter, "page": page, "fields": fields})

    def get_metro_area(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> MetroArea:
        """Get a metropolitan area.
        `GET /v2/metro_areas/{id}`
        """
        return self._one("GET", "/v2/metro_areas/{id}", (id,), {"fields": fields})

    def list_terminals(
        self,
        *,
        q: Optional[str] = None,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Union[Terminal, RailTerminal]]:
        """Find terminals and rail ramps.
        `GET /v2/terminals`
        """
        return self._many("GET", "/v2/terminals", (), {"q": q, "filter": filter, "page": page, "include": include, "fields": fields})

    def get_terminal(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Union[Terminal, RailTerminal]:
        """Get a terminal or a rail ramp.
        `GET /v2/terminals/{id}`
        """
        return self._one("GET", "/v2/terminals/{id}", (id,), {"include": include, "fields": fields})

    def list_vessels(
        self,
        *,
        q: Optional[str] = None,
        page: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[Vessel]:
        """Find vessels.
        `GET /v2/vessels`
        """
        return self._many("GET", "/v2/vessels", (), {"q": q, "page": page, "fields": fields})

    def get_vessel(
        self,
        id: str,
        *,
        show_positions: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Vessel:
        """Get a vessel.
        `GET /v2/vessels/{id}`
        """
        return self._one("GET", "/v2/vessels/{id}", (id,), {"show_positions": show_positions, "fields": fields})

    def list_shipment_history(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[Change]:
        """List the changes of a shipment, newest first.
        `GET /v2/shipments/{id}/history`
        """
        return self._many("GET", "/v2/shipments/{id}/history", (id,), {"page": page, "fields": fields})

    def list_container_history(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[Change]:
        """List the changes of a container, newest first.
        `GET /v2/containers/{id}/history`
        """
        return self._many("GET", "/v2/containers/{id}/history", (id,), {"page": page, "fields": fields})

    def list_snapshots(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[Snapshot]:
        """List the source answers in which a statement was found.
        `GET /v2/snapshots`
        """
        return self._many("GET", "/v2/snapshots", (), {"filter": filter, "fields": fields})

    def get_snapshot(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> Snapshot:
        """Get the details of a source answer.
        `GET /v2/snapshots/{id}`
        """
        return self._one("GET", "/v2/snapshots/{id}", (id,), {"fields": fields})

    def download_snapshot(
        self,
        id: str,
    ) -> bytes:
        """Download a source answer as it was received.
        `GET /v2/snapshots/{id}/body`
        """
        return self._bytes("GET", "/v2/snapshots/{id}/body", (id,), {})

    def list_issues(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Issue]:
        """List data that could not be read or was not believed, last seen first.
        `GET /v2/issues`
        """
        return self._many("GET", "/v2/issues", (), {"filter": filter, "page": page, "sort": sort, "include": include, "fields": fields})

    def list_shipment_issues(
        self,
        id: str,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Issue]:
        """List data about a shipment that could not be read or was not believed.
        `GET /v2/shipments/{id}/issues`
        """
        return self._many("GET", "/v2/shipments/{id}/issues", (id,), {"filter": filter, "page": page, "sort": sort, "include": include, "fields": fields})

    def read_answer(
        self,
        document: Any,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Test how an answer of a carrier is read.
        `POST /v2/sources/read`
        """
        return self._json("POST", "/v2/sources/read", (), {}, kind="json", body=document, idempotency_key=idempotency_key)

    def list_source_scorecards(
        self,
        *,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[SourceScorecard]:
        """List how good each carrier, terminal and railroad was as a source.
        `GET /v2/scorecards/sources`
        """
        return self._many("GET", "/v2/scorecards/sources", (), {"page": page, "sort": sort, "fields": fields})

    def create_tracking_request_batch(
        self,
        document: Any,
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> TrackingRequestBatch:
        """Track many numbers at once.
        `POST /v2/tracking_requests/batch`
        """
        return self._one("POST", "/v2/tracking_requests/batch", (), {"fields": fields}, kind="json", body=document, idempotency_key=idempotency_key)

    def get_tracking_request_batch(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> TrackingRequestBatch:
        """Get a batch and the results of its items.
        `GET /v2/tracking_requests/batch/{id}`
        """
        return self._one("GET", "/v2/tracking_requests/batch/{id}", (id,), {"fields": fields})

    def get_import(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> Import:
        """Get an import and its progress.
        `GET /v2/imports/{id}`
        """
        return self._one("GET", "/v2/imports/{id}", (id,), {"fields": fields})

    def list_import_rows(
        self,
        id: str,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[ImportRow]:
        """List the results of the rows of an import, in the order of the file.
        `GET /v2/imports/{id}/rows`
        """
        return self._many("GET", "/v2/imports/{id}/rows", (id,), {"filter": filter, "page": page, "sort": sort, "fields": fields})

    def list_unmapped_codes(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[UnmappedCode]:
        """List the codes without a known meaning, the most frequent first.
        `GET /v2/unmapped_codes`
        """
        return self._many("GET", "/v2/unmapped_codes", (), {"filter": filter, "page": page, "fields": fields})

    def list_code_mappings(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[CodeMapping]:
        """List what the senders' own codes mean.
        `GET /v2/code_mappings`
        """
        return self._many("GET", "/v2/code_mappings", (), {"filter": filter, "page": page, "fields": fields})

    def create_code_mapping(
        self,
        attributes: Mapping[str, Any],
        *,
        dry_run: Optional[bool] = None,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> CodeMapping:
        """Set the meaning of a sender's own code.
        `POST /v2/code_mappings`
        """
        return self._one("POST", "/v2/code_mappings", (), {"dry_run": dry_run, "fields": fields}, kind="code_mapping", body=attributes, idempotency_key=idempotency_key)

    def get_code_mapping(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> CodeMapping:
        """Get a code mapping.
        `GET /v2/code_mappings/{id}`
        """
        return self._one("GET", "/v2/code_mappings/{id}", (id,), {"fields": fields})

    def update_code_mapping(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        dry_run: Optional[bool] = None,
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> CodeMapping:
        """Give a code another meaning.
        `PATCH /v2/code_mappings/{id}`
        """
        return self._one("PATCH", "/v2/code_mappings/{id}", (id,), {"dry_run": dry_run, "fields": fields}, kind="code_mapping", body=attributes, if_match=if_match)

    def delete_code_mapping(
        self,
        id: str,
        *,
        dry_run: Optional[bool] = None,
        fields: Fields = None,
    ) -> CodeMapping:
        """Delete the meaning of a code.
        `DELETE /v2/code_mappings/{id}`
        """
        return self._one("DELETE", "/v2/code_mappings/{id}", (id,), {"dry_run": dry_run, "fields": fields})

    def list_column_maps(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[ColumnMap]:
        """List column maps by name.
        `GET /v2/column_maps`
        """
        return self._many("GET", "/v2/column_maps", (), {"fields": fields})

    def get_column_map(
        self,
        name: str,
        *,
        fields: Fields = None,
    ) -> ColumnMap:
        """Get a column map.
        `GET /v2/column_maps/{name}`
        """
        return self._one("GET", "/v2/column_maps/{name}", (name,), {"fields": fields})

    def put_column_map(
        self,
        name: str,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> ColumnMap:
        """Create or replace a column map.
        `PUT /v2/column_maps/{name}`
        """
        return self._one("PUT", "/v2/column_maps/{name}", (name,), {"fields": fields}, kind="column_map", body=attributes, if_match=if_match)

    def delete_column_map(
        self,
        name: str,
        *,
        fields: Fields = None,
    ) -> None:
        """Delete a column map.
        `DELETE /v2/column_maps/{name}`
        """
        self._nothing("DELETE", "/v2/column_maps/{name}", (name,), {"fields": fields})

    def list_tracking_request_attempts(
        self,
        id: str,
        *,
        page: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[TrackingAttempt]:
        """List the polls of carriers for a tracking request, newest first.
        `GET /v2/tracking_requests/{id}/attempts`
        """
        return self._many("GET", "/v2/tracking_requests/{id}/attempts", (id,), {"page": page, "fields": fields})

    def stop_tracking_batch(
        self,
        document: Any,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Stop tracking many shipments.
        `POST /v2/shipments/batch/stop_tracking`
        """
        return self._json("POST", "/v2/shipments/batch/stop_tracking", (), {}, kind="json", body=document, idempotency_key=idempotency_key)

    def resume_tracking_batch(
        self,
        document: Any,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Resume tracking many shipments.
        `POST /v2/shipments/batch/resume_tracking`
        """
        return self._json("POST", "/v2/shipments/batch/resume_tracking", (), {}, kind="json", body=document, idempotency_key=idempotency_key)

    def search(
        self,
        *,
        query: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[SearchResult]:
        """Find shipments, containers and tracking requests by a part of a number or reference.
        `GET /v2/search`
        """
        return self._many("GET", "/v2/search", (), {"query": query, "fields": fields})

    def list_saved_views(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[SavedView]:
        """List saved views by name.
        `GET /v2/saved_views`
        """
        return self._many("GET", "/v2/saved_views", (), {"filter": filter, "page": page, "sort": sort, "fields": fields})

    def create_saved_view(
        self,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> SavedView:
        """Save a view of a list.
        `POST /v2/saved_views`
        """
        return self._one("POST", "/v2/saved_views", (), {"fields": fields}, kind="saved_view", body=attributes, idempotency_key=idempotency_key)

    def get_saved_view(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> SavedView:
        """Get a saved view.
        `GET /v2/saved_views/{id}`
        """
        return self._one("GET", "/v2/saved_views/{id}", (id,), {"fields": fields})

    def update_saved_view(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> SavedView:
        """Change a saved view.
        `PATCH /v2/saved_views/{id}`
        """
        return self._one("PATCH", "/v2/saved_views/{id}", (id,), {"fields": fields}, kind="saved_view", body=attributes, if_match=if_match)

    def delete_saved_view(
        self,
        id: str,
    ) -> None:
        """Delete a saved view.
        `DELETE /v2/saved_views/{id}`
        """
        self._nothing("DELETE", "/v2/saved_views/{id}", (id,), {})

    def list_notes(
        self,
        id: str,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Note]:
        """List the notes of a shipment, newest first.
        `GET /v2/shipments/{id}/notes`
        """
        return self._many("GET", "/v2/shipments/{id}/notes", (id,), {"filter": filter, "page": page, "sort": sort, "include": include, "fields": fields})

    def create_note(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> Note:
        """Write a note about a shipment.
        `POST /v2/shipments/{id}/notes`
        """
        return self._one("POST", "/v2/shipments/{id}/notes", (id,), {"include": include, "fields": fields}, kind="note", body=attributes, idempotency_key=idempotency_key)

    def get_note(
        self,
        id: str,
        note_id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Note:
        """Get a note.
        `GET /v2/shipments/{id}/notes/{note_id}`
        """
        return self._one("GET", "/v2/shipments/{id}/notes/{note_id}", (id, note_id,), {"include": include, "fields": fields})

    def update_note(
        self,
        id: str,
        note_id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> Note:
        """Change the text of a note.
        `PATCH /v2/shipments/{id}/notes/{note_id}`
        """
        return self._one("PATCH", "/v2/shipments/{id}/notes/{note_id}", (id, note_id,), {"include": include, "fields": fields}, kind="note", body=attributes, if_match=if_match)

    def delete_note(
        self,
        id: str,
        note_id: str,
    ) -> None:
        """Delete a note.
        `DELETE /v2/shipments/{id}/notes/{note_id}`
        """
        self._nothing("DELETE", "/v2/shipments/{id}/notes/{note_id}", (id, note_id,), {})

    def list_share_links(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[ShareLink]:
        """List share links, newest first.
        `GET /v2/share_links`
        """
        return self._many("GET", "/v2/share_links", (), {"filter": filter, "page": page, "sort": sort, "include": include, "fields": fields})

    def create_share_link(
        self,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> ShareLink:
        """Share a shipment or a saved view by a link.
        `POST /v2/share_links`
        """
        return self._one("POST", "/v2/share_links", (), {"include": include, "fields": fields}, kind="share_link", body=attributes, idempotency_key=idempotency_key)

    def get_share_link(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> ShareLink:
        """Get a share link.
        `GET /v2/share_links/{id}`
        """
        return self._one("GET", "/v2/share_links/{id}", (id,), {"include": include, "fields": fields})

    def update_share_link(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> ShareLink:
        """Change the expiry and the look of a share link.
        `PATCH /v2/share_links/{id}`
        """
        return self._one("PATCH", "/v2/share_links/{id}", (id,), {"include": include, "fields": fields}, kind="share_link", body=attributes, if_match=if_match)

    def delete_share_link(
        self,
        id: str,
    ) -> None:
        """Withdraw a share link.
        `DELETE /v2/share_links/{id}`
        """
        self._nothing("DELETE", "/v2/share_links/{id}", (id,), {})

    def get_shared(
        self,
        token: str,
    ) -> bytes:
        """Get what a share link shows.
        `GET /v2/shared/{token}`
        """
        return self._bytes("GET", "/v2/shared/{token}", (token,), {})

    def list_webhooks(
        self,
        *,
        page: Optional[Mapping[str, Any]] = None,
        fields: Fields = None,
    ) -> Pages[Webhook]:
        """List webhooks, newest first.
        `GET /v2/webhooks`
        """
        return self._many("GET", "/v2/webhooks", (), {"page": page, "fields": fields})

    def create_webhook(
        self,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> Webhook:
        """Create a webhook: events are sent to a URL.
        `POST /v2/webhooks`
        """
        return self._one("POST", "/v2/webhooks", (), {"fields": fields}, kind="webhook", body=attributes, idempotency_key=idempotency_key)

    def get_webhook(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> Webhook:
        """Get a webhook.
        `GET /v2/webhooks/{id}`
        """
        return self._one("GET", "/v2/webhooks/{id}", (id,), {"fields": fields})

    def update_webhook(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> Webhook:
        """Change a webhook.
        `PATCH /v2/webhooks/{id}`
        """
        return self._one("PATCH", "/v2/webhooks/{id}", (id,), {"fields": fields}, kind="webhook", body=attributes, if_match=if_match)

    def delete_webhook(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> Webhook:
        """Delete a webhook.
        `DELETE /v2/webhooks/{id}`
        """
        return self._one("DELETE", "/v2/webhooks/{id}", (id,), {"fields": fields})

    def rotate_webhook_secret(
        self,
        id: str,
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> Webhook:
        """Give a webhook a new secret.
        `POST /v2/webhooks/{id}/rotate_secret`
        """
        return self._one("POST", "/v2/webhooks/{id}/rotate_secret", (id,), {"fields": fields}, idempotency_key=idempotency_key)

    def recover_webhook(
        self,
        id: str,
        document: Any,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Send a webhook the events that it missed.
        `POST /v2/webhooks/{id}/recover`
        """
        return self._json("POST", "/v2/webhooks/{id}/recover", (id,), {}, kind="json", body=document, idempotency_key=idempotency_key)

    def list_webhook_events(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[WebhookEventCategory]:
        """List the events that can be subscribed to.
        `GET /v2/webhooks/events`
        """
        return self._many("GET", "/v2/webhooks/events", (), {"fields": fields})

    def list_webhook_ips(
        self,
    ) -> Any:
        """List the addresses from which webhooks are called.
        `GET /v2/webhooks/ips`
        """
        return self._json("GET", "/v2/webhooks/ips", (), {})

    def trigger_webhook(
        self,
        document: Any,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Send an example event to a URL.
        `POST /v2/webhooks/trigger`
        """
        return self._json("POST", "/v2/webhooks/trigger", (), {}, kind="json", body=document, idempotency_key=idempotency_key)

    def list_webhook_notifications(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[WebhookNotification]:
        """List notifications, newest first.
        `GET /v2/webhook_notifications`
        """
        return self._many("GET", "/v2/webhook_notifications", (), {"filter": filter, "page": page, "sort": sort, "include": include, "fields": fields})

    def get_webhook_notification_example(
        self,
        *,
        event: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> WebhookNotification:
        """Get an example of an event.
        `GET /v2/webhook_notifications/examples`
        """
        return self._one("GET", "/v2/webhook_notifications/examples", (), {"event": event, "include": include, "fields": fields})

    def get_webhook_notification(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> WebhookNotification:
        """Get a notification.
        `GET /v2/webhook_notifications/{id}`
        """
        return self._one("GET", "/v2/webhook_notifications/{id}", (id,), {"include": include, "fields": fields})

    def redeliver_webhook_notification(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> WebhookNotification:
        """Send a notification once more.
        `POST /v2/webhook_notifications/{id}/redeliver`
        """
        return self._one("POST", "/v2/webhook_notifications/{id}/redeliver", (id,), {"include": include, "fields": fields}, idempotency_key=idempotency_key)

    def list_documents(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Document]:
        """List documents, newest first.
        `GET /v2/documents`
        """
        return self._many("GET", "/v2/documents", (), {"filter": filter, "page": page, "sort": sort, "include": include, "fields": fields})

    def create_document(
        self,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> Document:
        """Create a document from an uploaded file.
        `POST /v2/documents`
        """
        return self._one("POST", "/v2/documents", (), {"include": include, "fields": fields}, kind="document", body=attributes, idempotency_key=idempotency_key)

    def list_document_types(
        self,
    ) -> Any:
        """List kinds of documents.
        `GET /v2/documents/types`
        """
        return self._json("GET", "/v2/documents/types", (), {})

    def get_document(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Document:
        """Get a document.
        `GET /v2/documents/{id}`
        """
        return self._one("GET", "/v2/documents/{id}", (id,), {"include": include, "fields": fields})

    def update_document(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> Document:
        """Correct the kind, the fields and the shipments of a document.
        `PATCH /v2/documents/{id}`
        """
        return self._one("PATCH", "/v2/documents/{id}", (id,), {"include": include, "fields": fields}, kind="document", body=attributes, if_match=if_match)

    def delete_document(
        self,
        id: str,
    ) -> None:
        """Delete a document.
        `DELETE /v2/documents/{id}`
        """
        self._nothing("DELETE", "/v2/documents/{id}", (id,), {})

    def get_document_download_url(
        self,
        id: str,
    ) -> Any:
        """Get a signed URL for the file of a document.
        `GET /v2/documents/{id}/download_url`
        """
        return self._json("GET", "/v2/documents/{id}/download_url", (id,), {})

    def reextract_document(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Read the fields of a document again.
        `POST /v2/documents/{id}/reextract`
        """
        return self._json("POST", "/v2/documents/{id}/reextract", (id,), {}, idempotency_key=idempotency_key)

    def reclassify_document(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Find the kind of a document again.
        `POST /v2/documents/{id}/reclassify`
        """
        return self._json("POST", "/v2/documents/{id}/reclassify", (id,), {}, idempotency_key=idempotency_key)

    def relink_document(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Find the shipments of a document again.
        `POST /v2/documents/{id}/relink`
        """
        return self._json("POST", "/v2/documents/{id}/relink", (id,), {}, idempotency_key=idempotency_key)

    def rotate_document(
        self,
        id: str,
        document: Any,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Rotate a document that is an image.
        `POST /v2/documents/{id}/rotate`
        """
        return self._json("POST", "/v2/documents/{id}/rotate", (id,), {}, kind="json", body=document, idempotency_key=idempotency_key)

    def get_document_schema(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> DocumentSchema:
        """Get the schema of a kind of document.
        `GET /v2/document_schemas/{id}`
        """
        return self._one("GET", "/v2/document_schemas/{id}", (id,), {"fields": fields})

    def create_direct_upload(
        self,
        document: Any,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Prepare the upload of a file.
        `POST /rails/active_storage/direct_uploads`
        """
        return self._json("POST", "/rails/active_storage/direct_uploads", (), {}, kind="json", body=document, idempotency_key=idempotency_key)

    def list_email_submissions(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[EmailSubmission]:
        """List e-mails that came to the account, newest first.
        `GET /v2/email_submissions`
        """
        return self._many("GET", "/v2/email_submissions", (), {"filter": filter, "page": page, "sort": sort, "include": include, "fields": fields})

    def get_email_submission(
        self,
        id: str,
        *,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> EmailSubmission:
        """Get an e-mail, with the result of each part.
        `GET /v2/email_submissions/{id}`
        """
        return self._one("GET", "/v2/email_submissions/{id}", (id,), {"include": include, "fields": fields})

    def list_mailboxes(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[Mailbox]:
        """List the addresses to which documents are sent.
        `GET /v2/mailboxes`
        """
        return self._many("GET", "/v2/mailboxes", (), {"fields": fields})

    def create_mailbox(
        self,
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> Mailbox:
        """Create an address to which documents are sent.
        `POST /v2/mailboxes`
        """
        return self._one("POST", "/v2/mailboxes", (), {"fields": fields}, idempotency_key=idempotency_key)

    def delete_mailbox(
        self,
        id: str,
    ) -> None:
        """Delete an address.
        `DELETE /v2/mailboxes/{id}`
        """
        self._nothing("DELETE", "/v2/mailboxes/{id}", (id,), {})

    def list_mailbox_senders(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[MailboxSender]:
        """List the senders whose e-mail is accepted.
        `GET /v2/mailbox_senders`
        """
        return self._many("GET", "/v2/mailbox_senders", (), {"fields": fields})

    def create_mailbox_sender(
        self,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> MailboxSender:
        """Accept the e-mail of a sender.
        `POST /v2/mailbox_senders`
        """
        return self._one("POST", "/v2/mailbox_senders", (), {"fields": fields}, kind="mailbox_sender", body=attributes, idempotency_key=idempotency_key)

    def delete_mailbox_sender(
        self,
        id: str,
    ) -> None:
        """Stop accepting the e-mail of a sender.
        `DELETE /v2/mailbox_senders/{id}`
        """
        self._nothing("DELETE", "/v2/mailbox_senders/{id}", (id,), {})

    def list_events(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        wait: Optional[int] = None,
        filter: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[Event]:
        """Read the events of the account, wait for them, or follow them as a stream.
        `GET /v2/events`
        """
        return self._many("GET", "/v2/events", (), {"after": after, "limit": limit, "wait": wait, "filter": filter, "include": include, "fields": fields})

    def list_changes(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        before: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Any:
        """Read the latest changes as sentences, newest first.
        `GET /v2/changes`
        """
        return self._json("GET", "/v2/changes", (), {"filter": filter, "before": before, "limit": limit})

    def list_api_keys(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[ApiKey]:
        """List API keys, newest first.
        `GET /v2/api_keys`
        """
        return self._many("GET", "/v2/api_keys", (), {"fields": fields})

    def create_api_key(
        self,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> ApiKey:
        """Create an API key.
        `POST /v2/api_keys`
        """
        return self._one("POST", "/v2/api_keys", (), {"fields": fields}, kind="api_key", body=attributes, idempotency_key=idempotency_key)

    def get_api_key(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> ApiKey:
        """Get an API key, masked.
        `GET /v2/api_keys/{id}`
        """
        return self._one("GET", "/v2/api_keys/{id}", (id,), {"fields": fields})

    def delete_api_key(
        self,
        id: str,
    ) -> None:
        """Delete an API key.
        `DELETE /v2/api_keys/{id}`
        """
        self._nothing("DELETE", "/v2/api_keys/{id}", (id,), {})

    def list_members(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[Member]:
        """List the members of the account, longest membership first.
        `GET /v2/members`
        """
        return self._many("GET", "/v2/members", (), {"fields": fields})

    def invite_member(
        self,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        idempotency_key: Optional[str] = None,
    ) -> Invitation:
        """Invite a person to the account.
        `POST /v2/members`
        """
        return self._one("POST", "/v2/members", (), {"fields": fields}, kind="member", body=attributes, idempotency_key=idempotency_key)

    def get_member(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> Member:
        """Get a member.
        `GET /v2/members/{id}`
        """
        return self._one("GET", "/v2/members/{id}", (id,), {"fields": fields})

    def update_member(
        self,
        id: str,
        attributes: Mapping[str, Any],
        *,
        fields: Fields = None,
        if_match: Optional[str] = None,
    ) -> Member:
        """Change the role of a member.
        `PATCH /v2/members/{id}`
        """
        return self._one("PATCH", "/v2/members/{id}", (id,), {"fields": fields}, kind="member", body=attributes, if_match=if_match)

    def remove_member(
        self,
        id: str,
    ) -> None:
        """Remove a member from the account.
        `DELETE /v2/members/{id}`
        """
        self._nothing("DELETE", "/v2/members/{id}", (id,), {})

    def list_invitations(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[Invitation]:
        """List open invitations, newest first.
        `GET /v2/invitations`
        """
        return self._many("GET", "/v2/invitations", (), {"fields": fields})

    def get_invitation(
        self,
        id: str,
        *,
        fields: Fields = None,
    ) -> Invitation:
        """Get an open invitation.
        `GET /v2/invitations/{id}`
        """
        return self._one("GET", "/v2/invitations/{id}", (id,), {"fields": fields})

    def revoke_invitation(
        self,
        id: str,
    ) -> None:
        """Revoke an invitation.
        `DELETE /v2/invitations/{id}`
        """
        self._nothing("DELETE", "/v2/invitations/{id}", (id,), {})

    def list_audit_events(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[AuditEvent]:
        """List the audit log: who did what, newest first.
        `GET /v2/audit_events`
        """
        return self._many("GET", "/v2/audit_events", (), {"filter": filter, "page": page, "sort": sort, "fields": fields})

    def list_eta_scores(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        group_by: Optional[str] = None,
        scope: Optional[str] = None,
        page: Optional[Mapping[str, Any]] = None,
        sort: Optional[str] = None,
        fields: Fields = None,
    ) -> Pages[EtaScore]:
        """List how good the estimated arrivals were.
        `GET /v2/scorecards/etas`
        """
        return self._many("GET", "/v2/scorecards/etas", (), {"filter": filter, "group_by": group_by, "scope": scope, "page": page, "sort": sort, "fields": fields})

    def list_eta_outcomes(
        self,
        *,
        filter: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        include: Sequence[str] = (),
        fields: Fields = None,
    ) -> Pages[EtaOutcome]:
        """List how single estimated arrivals turned out, the latest arrival first.
        `GET /v2/scorecards/etas/outcomes`
        """
        return self._many("GET", "/v2/scorecards/etas/outcomes", (), {"filter": filter, "page": page, "include": include, "fields": fields})

    def get_usage(
        self,
        *,
        fields: Fields = None,
    ) -> Usage:
        """Get the usage of the account.
        `GET /v2/usage`
        """
        return self._one("GET", "/v2/usage", (), {"fields": fields})

    def list_jobs(
        self,
        *,
        fields: Fields = None,
    ) -> Pages[Job]:
        """List the account's work that waits, is under way, or fails.
        `GET /v2/jobs`
        """
        return self._many("GET", "/v2/jobs", (), {"fields": fields})

    def get_health(
        self,
    ) -> bytes:
        """Check that the process runs.
        `GET /healthz`
        """
        return self._bytes("GET", "/healthz", (), {})

    def get_readiness(
        self,
    ) -> bytes:
        """Check that the process can do its work.
        `GET /readyz`
        """
        return self._bytes("GET", "/readyz", (), {})

    def get_metrics(
        self,
    ) -> bytes:
        """Get the counters for Prometheus.
        `GET /metrics`
        """
        return self._bytes("GET", "/metrics", (), {})

    def get_open_api(
        self,
    ) -> bytes:
        """Get this document.
        `GET /v2/openapi.json`
        """
        return self._bytes("GET", "/v2/openapi.json", (), {})

    def get_me(
        self,
    ) -> Any:
        """Get who makes the request, and their account.
        `GET /v2/me`
        """
        return self._one("GET", "/v2/me", (), {})

    def import_charge_terms(
        self,
        content: Body,
        *,
        dry_run: Optional[bool] = None,
        fields: Fields = None,
        content_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Import charge terms from a table.
        `POST /v2/charge_terms/import`
        """
        return self._json("POST", "/v2/charge_terms/import", (), {"dry_run": dry_run, "fields": fields}, kind="bytes", body=content, content_type=content_type, idempotency_key=idempotency_key)

    def import_calendars(
        self,
        content: Body,
        *,
        dry_run: Optional[bool] = None,
        fields: Fields = None,
        content_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Import calendars from a table.
        `POST /v2/calendars/import`
        """
        return self._json("POST", "/v2/calendars/import", (), {"dry_run": dry_run, "fields": fields}, kind="bytes", body=content, content_type=content_type, idempotency_key=idempotency_key)

    def audit_invoice_table(
        self,
        content: Body,
        *,
        kind: Optional[str] = None,
        charged_by: Optional[str] = None,
        currency: Optional[str] = None,
        fields: Fields = None,
        content_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> InvoiceAudit:
        """Audit an invoice that is a table.
        `POST /v2/invoices/audits/import`
        """
        return self._one("POST", "/v2/invoices/audits/import", (), {"kind": kind, "charged_by": charged_by, "currency": currency, "fields": fields}, kind="bytes", body=content, content_type=content_type, idempotency_key=idempotency_key)

    def send_inbound(
        self,
        channel: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Send events, messages and statements to a channel.
        `POST /v2/inbound/{channel}`
        """
        return self._json("POST", "/v2/inbound/{channel}", (channel,), {}, idempotency_key=idempotency_key)

    def create_import(
        self,
        content: Body,
        *,
        map: Optional[str] = None,
        sheet: Optional[str] = None,
        scac: Optional[str] = None,
        auto_detect_vocc_scac: Optional[bool] = None,
        channel: Optional[str] = None,
        written_at: Optional[str] = None,
        file_name: Optional[str] = None,
        dry_run: Optional[bool] = None,
        fields: Fields = None,
        content_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Import:
        """Import a table: track its numbers, or send its statements to a channel.
        `POST /v2/imports`
        """
        return self._one("POST", "/v2/imports", (), {"map": map, "sheet": sheet, "scac": scac, "auto_detect_vocc_scac": auto_detect_vocc_scac, "channel": channel, "written_at": written_at, "file_name": file_name, "dry_run": dry_run, "fields": fields}, kind="bytes", body=content, content_type=content_type, idempotency_key=idempotency_key)

    def preview_import(
        self,
        content: Body,
        *,
        map: Optional[str] = None,
        sheet: Optional[str] = None,
        scac: Optional[str] = None,
        auto_detect_vocc_scac: Optional[bool] = None,
        channel: Optional[str] = None,
        written_at: Optional[str] = None,
        rows: Optional[int] = None,
        fields: Fields = None,
        content_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Preview how a table is read.
        `POST /v2/imports/preview`
        """
        return self._json("POST", "/v2/imports/preview", (), {"map": map, "sheet": sheet, "scac": scac, "auto_detect_vocc_scac": auto_detect_vocc_scac, "channel": channel, "written_at": written_at, "rows": rows, "fields": fields}, kind="bytes", body=content, content_type=content_type, idempotency_key=idempotency_key)
