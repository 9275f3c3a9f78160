# Written from docs/openapi.json by `npm run openapi`. Do not edit.
"""The types of resources, for editors and type checkers."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Type, Union

from .resource import Resource


class Account(Resource):
    company_name: str


class ApiKey(Resource):
    name: str
    kind: str
    scopes: List[str]
    masked: str
    secret: Optional[str]
    allowed_origins: List[str]
    expires_at: Optional[str]
    last_used_at: Optional[str]
    created_by_name: Optional[str]
    created_at: str


class AuditEvent(Resource):
    action: str
    actor: Dict[str, Any]
    target: Dict[str, Any]
    changes: List[Dict[str, Any]]
    ip: Optional[str]
    user_agent: Optional[str]
    request_id: str
    created_at: str


class Calendar(Resource):
    code: str
    zone: Optional[str]
    weekend: List[str]
    holidays: List[Dict[str, Any]]
    closures: List[Dict[str, Any]]
    gate_hours: List[Dict[str, Any]]
    source: Optional[str]
    version: int
    recorded_at: str
    recorded_by: Dict[str, Any]
    versions: List[Dict[str, Any]]


class AlertRule(Resource):
    name: str
    active: bool
    reasons: List[str]
    shipments: Dict[str, Any]
    emails: List[str]
    webhook: Optional[Dict[str, Any]]
    delivery: str
    daily_hour: int
    time_zone: str
    created_at: str
    updated_at: str


class AttentionEntry(Resource):
    number: str
    scac: Optional[str]
    bill_of_lading_number: Optional[str]
    ref_numbers: List[str]
    customer_name: Optional[str]
    port_of_discharge_locode: Optional[str]
    port_of_discharge_name: Optional[str]
    group: str
    last_day: Optional[str]
    days_left: Optional[int]
    reasons: List[Dict[str, Any]]
    money: Dict[str, Any]
    state: str
    snoozed_until: Optional[str]
    assigned_to_id: Optional[str]
    version: str
    shipment: Optional[Shipment]
    container: Optional[Container]
    tracking_request: Optional[TrackingRequest]
    assigned_to: Optional[User]


class AttentionItem(Resource):
    reason: str
    severity: str
    since: Optional[str]
    due_at: Optional[str]
    text: str
    before: Optional[Union[str, List[Dict[str, Any]], Dict[str, Any]]]
    after: Optional[Union[str, List[Dict[str, Any]], Dict[str, Any]]]
    said: Optional[Dict[str, Any]]
    snoozed_until: Optional[str]
    shipment: Optional[Shipment]
    container: Optional[Container]
    tracking_request: Optional[TrackingRequest]


class Change(Resource):
    recorded_at: str
    cause: str
    action: Optional[str]
    reason: Optional[str]
    rules: str
    served_by_rules: Optional[str]
    made_by: Optional[Dict[str, Any]]
    snapshot_id: Optional[str]
    ledger_position: int
    changes: List[Dict[str, Any]]
    events: List[Dict[str, Any]]


class ChargeTerms(Resource):
    code: str
    origin: str
    kind: str
    charged_by: str
    charger_code: Optional[str]
    bills: List[str]
    equipment: List[str]
    haulage: Optional[str]
    ports: List[str]
    destinations: List[str]
    valid_from: Optional[str]
    valid_to: Optional[str]
    locked_by: str
    currency: str
    calendar: Optional[str]
    start: str
    start_offset: int
    start_offset_unit: str
    start_first_full_day: bool
    start_on_working_day: bool
    start_gate_cut_off: bool
    stop: List[str]
    stop_day_counts: bool
    free: int
    free_unit: str
    charged_unit: str
    tiers: List[Dict[str, Any]]
    tiers_count: str
    stops_for: List[str]
    stopped_day: str
    source: Optional[str]
    withdrawn: bool
    version: int
    recorded_at: str
    recorded_by: Dict[str, Any]
    versions: List[Dict[str, Any]]


class CodeMapping(Resource):
    channel: str
    language: str
    kind: str
    field: str
    code: str
    reason: str
    text: str
    means: str
    words: Optional[str]


class ColumnMap(Resource):
    name: str
    columns: Dict[str, Any]
    sheet: Optional[str]
    day_format: Optional[str]
    weight_unit: Optional[str]
    decimal_mark: Optional[str]
    currency: Optional[str]
    scac: Optional[str]
    auto_detect_vocc_scac: bool
    track_by: Optional[List[str]]
    created_at: str
    updated_at: str


class Container(Resource):
    number: str
    ref_numbers: List[str]
    equipment_type: Optional[str]
    equipment_length: Optional[float]
    equipment_height: Optional[str]
    weight_in_lbs: Optional[float]
    created_at: str
    seal_number: Optional[str]
    pickup_lfd: Optional[str]
    pickup_appointment_at: Optional[str]
    availability_known: bool
    available_for_pickup: Optional[bool]
    pod_arrived_at: Optional[str]
    pod_discharged_at: Optional[str]
    pod_full_out_at: Optional[str]
    terminal_checked_at: Optional[str]
    pod_full_out_chassis_number: Optional[str]
    location_at_pod_terminal: Optional[str]
    final_destination_full_out_at: Optional[str]
    empty_terminated_at: Optional[str]
    holds_at_pod_terminal: List[Dict[str, Any]]
    fees_at_pod_terminal: List[Dict[str, Any]]
    pod_timezone: Optional[str]
    final_destination_timezone: Optional[str]
    empty_terminated_timezone: Optional[str]
    pod_rail_carrier_scac: Optional[str]
    ind_rail_carrier_scac: Optional[str]
    pod_last_tracking_request_at: Optional[str]
    shipment_last_tracking_request_at: Optional[str]
    pod_rail_loaded_at: Optional[str]
    pod_rail_departed_at: Optional[str]
    ind_eta_at: Optional[str]
    ind_ata_at: Optional[str]
    ind_rail_unloaded_at: Optional[str]
    ind_facility_lfd_on: Optional[str]
    import_deadlines: Dict[str, Any]
    current_status: str
    delivered_at: Optional[str]
    empty_out_at: Optional[str]
    pol_full_in_at: Optional[str]
    pol_vessel_loaded_at: Optional[str]
    pol_vessel_departed_at: Optional[str]
    rail_last_tracking_request_at: Optional[str]
    ind_facility_holds: Optional[List[Dict[str, Any]]]
    ind_facility_fees: Optional[List[Dict[str, Any]]]
    ssl_lfd: Optional[str]
    free_until: Optional[Dict[str, Any]]
    act_by: Optional[Dict[str, Any]]
    shipment: Optional[Shipment]
    pickup_facility: Optional[Terminal]
    pod_terminal: Optional[Terminal]
    transport_events: List[TransportEvent]
    raw_events: List[RawEvent]
    custom_fields: List[CustomField]


class ContainerChargesEvent(Resource):
    timestamp: str
    terms: List[Dict[str, Any]]
    container: Optional[Container]
    shipment: Optional[Shipment]


class ContainerOverdueEvent(Resource):
    timestamp: str
    leg: str
    expected: str
    after: str
    after_at: str
    estimate_at: Optional[str]
    due_at: str
    usual_hours: int
    limit_hours: int
    by: str
    cases: int
    sentence: str
    source_state: Optional[str]
    source_answered_at: Optional[str]
    ended_by: Optional[str]
    container: Optional[Container]
    shipment: Optional[Shipment]


class ContainerCreatedEvent(Resource):
    timestamp: str
    timezone: Optional[str]
    container: Optional[Container]
    shipment: Optional[Shipment]


class ContainerPodTerminalChangedEvent(Resource):
    timestamp: str
    data_source: str
    container: Optional[Container]
    shipment: Optional[Shipment]
    terminal: Optional[Terminal]


class ContainerUpdatedEvent(Resource):
    changeset: Dict[str, Any]
    timestamp: str
    timezone: Optional[str]
    data_source: str
    container: Optional[Container]
    shipment: Optional[Shipment]
    terminal: Optional[Terminal]


class CustomField(Resource):
    api_slug: str
    value: Optional[Union[str, float, bool, List[str]]]
    display_value: Optional[str]
    entity: Optional[Union[Shipment, Container, TrackingRequest]]
    definition: Optional[CustomFieldDefinition]


class CustomFieldDefinition(Resource):
    entity_type: str
    api_slug: str
    display_name: str
    description: Optional[str]
    data_type: str
    reference_type: Optional[str]
    validation: Optional[Dict[str, Any]]
    default_format: Optional[str]
    default_value: Optional[Union[str, float, bool, List[str]]]
    template_id: Optional[str]
    created_at: str
    updated_at: str
    account: Optional[Account]
    fields: List[CustomField]
    options: List[CustomFieldOption]


class CustomFieldOption(Resource):
    label: str
    value: str
    position: Optional[int]


class Document(Resource):
    name: str
    document_type: str
    document_type_manual: Optional[str]
    classification_notes: Optional[str]
    source: str
    file_name: str
    file_content_type: Optional[str]
    file_size_bytes: Optional[int]
    parsed: Optional[Dict[str, Any]]
    created_at: str
    updated_at: str
    account: Optional[Account]
    user: Optional[User]
    email_submission: Optional[EmailSubmission]
    last_document_representation: Optional[DocumentRepresentation]
    parent_document: Optional[Document]
    shipments: List[Shipment]
    cargos: List[Container]


class DocumentRepresentation(Resource):
    schema_version: str
    payload: Dict[str, Any]
    created_at: str
    updated_at: str


class DocumentSchema(Resource):
    document_type: str
    label: str
    schema_version: str
    full_version: str
    current: bool
    draft: bool
    active_at: Optional[str]
    schema_format: str
    description: Optional[str]
    schema_payload: Dict[str, Any]
    created_at: str
    updated_at: str


class EmailSubmission(Resource):
    subject: str
    body: Optional[str]
    body_preview: Optional[str]
    to: List[str]
    cc: List[str]
    sent_at: Optional[str]
    message_id: Optional[str]
    in_reply_to: Optional[str]
    references: List[str]
    content_type: Optional[str]
    documents_count: int
    status: str
    spf: Optional[str]
    dkim: Optional[str]
    is_sender_proven: Optional[bool]
    mailbox_id: str
    parts: List[Dict[str, Any]]
    created_at: str
    updated_at: str
    account: Optional[Account]
    user: Optional[User]
    documents: List[Document]


class EtaOutcome(Resource):
    kind: str
    source_code: str
    shipping_line_scac: str
    port_of_lading_locode: Optional[str]
    port_of_discharge_locode: str
    told_at: str
    days_ahead: float
    arrived_at: str
    arrival_reported_by: Optional[str]
    error_hours: float
    range_held: Optional[bool]
    moved_hours: Optional[float]
    shipment: Optional[Shipment]


class EtaScore(Resource):
    shipping_line_scac: Optional[str]
    port_of_lading_locode: Optional[str]
    port_of_discharge_locode: Optional[str]
    lading_country: Optional[str]
    discharge_country: Optional[str]
    kind: str
    days_ahead_min: int
    days_ahead_max: Optional[int]
    estimates: int
    mean_error_hours: float
    median_error_hours: float
    bias_hours: float
    within_day_share: float
    range_held_share: Optional[float]
    moved_share: Optional[float]
    mean_move_hours: Optional[float]
    outcomes_path: Optional[str]


class EstimatedEvent(Resource):
    created_at: str
    estimated_timestamp: str
    event: str
    location_locode: Optional[str]
    timezone: Optional[str]
    voyage_number: Optional[str]
    data_source: str
    shipment: Optional[Shipment]
    port: Optional[Union[Port, MetroArea]]
    vessel: Optional[Vessel]


class Event(Resource):
    event: str
    sequence: int
    created_at: str
    reference_type: str
    reference_object: Optional[Union[TrackingRequest, EstimatedEvent, TransportEvent, ContainerCreatedEvent, ContainerUpdatedEvent, ContainerPodTerminalChangedEvent, ContainerChargesEvent, ContainerOverdueEvent, Document, LedgerRoot]]
    shipment: Optional[Shipment]
    container: Optional[Container]
    tracking_request: Optional[TrackingRequest]


class InboundMessage(Resource):
    channel: str
    received_at: str
    content_type: Optional[str]
    byte_count: int
    status: str
    faults: List[Dict[str, Any]]
    parts: List[Dict[str, Any]]


class Invitation(Resource):
    email: str
    role: str
    url: Optional[str]
    created_at: str
    expires_at: str


class Expectation(Resource):
    leg: str
    expected: str
    after: str
    after_at: str
    estimate_at: Optional[str]
    due_at: str
    usual_hours: int
    limit_hours: int
    by: str
    cases: int
    sentence: str
    overdue_since: Optional[str]
    container: Optional[Container]
    shipment: Optional[Shipment]


class InvoiceAudit(Resource):
    document_id: Optional[str]
    number: Optional[str]
    kind: str
    charged_by: str
    charger_code: Optional[str]
    issuer: str
    direction: str
    bills: List[str]
    port_of_discharge: Optional[str]
    basis: Optional[str]
    invoiced_on: Optional[str]
    due_on: Optional[str]
    received_invoice_on: Optional[str]
    currency: str
    total_minor: Optional[int]
    rule: Optional[str]
    dispute_contact: Optional[str]
    dispute_url: Optional[str]
    dispute_timeframes: Optional[str]
    dispute_until: Optional[str]
    consistency_certified: bool
    performance_certified: bool
    lines: List[Dict[str, Any]]
    agreed: List[Dict[str, Any]]
    in_dispute: List[Dict[str, Any]]
    not_judged: List[Dict[str, Any]]
    missing_items: List[Dict[str, Any]]
    dates: List[Dict[str, Any]]
    wrong_sums: List[Dict[str, Any]]
    days: List[Dict[str, Any]]
    made_at: str
    made_by: Dict[str, Any]


class Import(Resource):
    status: str
    dry_run: bool
    file_name: Optional[str]
    file_sha256: str
    map: Optional[str]
    channel: Optional[str]
    reading: Dict[str, Any]
    total: int
    waiting: int
    queued: int
    created: int
    taken: int
    partly: int
    repeated: int
    valid: int
    duplicate: int
    invalid: int
    done_at_earliest: Optional[str]
    created_at: str


class ImportRow(Resource):
    row_number: int
    status: str
    request_type: Optional[str]
    request_number: Optional[str]
    scac: Optional[str]
    tracking_request_id: Optional[str]
    due_at: Optional[str]
    statements: Optional[int]
    inbound_message_id: Optional[str]
    read: Dict[str, Any]
    errors: List[Dict[str, Any]]


class Issue(Resource):
    kind: str
    scac: Optional[str]
    lost: Optional[str]
    page: Optional[int]
    pointer: Optional[str]
    detail: str
    count: int
    first_seen_at: str
    last_seen_at: str
    snapshot_id: Optional[str]
    raw_event_id: Optional[str]
    shipment: Optional[Shipment]
    tracking_request: Optional[TrackingRequest]


class Job(Resource):
    kind: str
    state: str
    name: Optional[str]
    waiting: Optional[int]
    waiting_is_more: bool
    oldest_waiting_at: Optional[str]
    done: Optional[int]
    total: Optional[int]
    per_minute: Optional[float]
    remaining_seconds: Optional[int]
    started_at: Optional[str]
    failing: int
    failures: List[Dict[str, Any]]


class LedgerRoot(Resource):
    head: Dict[str, Any]
    kid: str
    signature: str
    made_at: str


class Mailbox(Resource):
    address: str
    created_at: str


class MailboxSender(Resource):
    sender: str
    created_at: str


class Member(Resource):
    name: str
    email: str
    role: str
    has_two_factor: bool
    created_at: str


class MetroArea(Resource):
    name: str
    code: str
    state_abbr: Optional[str]
    country_code: str
    time_zone: Optional[str]
    latitude: Optional[str]
    longitude: Optional[str]


class Note(Resource):
    text: str
    author: Dict[str, Any]
    created_at: str
    updated_at: str
    shipment: Optional[Shipment]
    container: Optional[Container]


class Party(Resource):
    company_name: str


class PartyRole(Resource):
    role: str
    roleable_type: str
    roleable_id: str
    created_at: str
    updated_at: str
    party: Optional[Party]


class Port(Resource):
    name: str
    code: str
    state_abbr: Optional[str]
    country_code: str
    time_zone: Optional[str]
    latitude: Optional[str]
    longitude: Optional[str]
    city: Optional[str]
    terminals: List[Terminal]


class RailTerminal(Resource):
    name: str
    nickname: str
    firms_code: str
    city: str
    port: Optional[Port]
    metro_area: Optional[MetroArea]


class RawEvent(Resource):
    event: Optional[str]
    original_event: Optional[str]
    timestamp: str
    estimated: bool
    actual_on: Optional[str]
    estimated_on: Optional[str]
    actual_at: Optional[str]
    estimated_at: Optional[str]
    timezone: Optional[str]
    created_at: str
    location_name: Optional[str]
    location_locode: Optional[str]
    vessel_name: Optional[str]
    vessel_imo: Optional[str]
    index: int
    voyage_number: Optional[str]
    will_occur_at: Optional[str]
    invalidated_at: Optional[str]
    data_source: Optional[str]
    data_provider_name: str
    data_provider_code: str
    location: Optional[Union[Port, MetroArea]]
    vessel: Optional[Vessel]
    container: Optional[Container]
    terminal: Optional[Terminal]


class Route(Resource):
    created_at: str
    updated_at: str
    route_locations: List[RouteLocation]


class RouteLocation(Resource):
    inbound_scac: Optional[str]
    inbound_mode: Optional[str]
    inbound_eta_at: Optional[str]
    inbound_ata_at: Optional[str]
    inbound_voyage_number: Optional[str]
    outbound_scac: Optional[str]
    outbound_mode: Optional[str]
    outbound_etd_at: Optional[str]
    outbound_atd_at: Optional[str]
    outbound_voyage_number: Optional[str]
    created_at: str
    updated_at: str
    route: Optional[Route]
    location: Optional[Union[Port, MetroArea]]
    port: Optional[Union[Port, MetroArea]]
    inbound_vessel: Optional[Vessel]
    outbound_vessel: Optional[Vessel]


class SavedView(Resource):
    name: str
    table: str
    query: Dict[str, Any]
    columns: List[str]
    is_shared: bool
    created_by: Dict[str, Any]
    created_at: str
    updated_at: str


class SearchResult(Resource):
    entity_type: str
    number: str
    shipment_id: Optional[str]
    scac: Optional[str]
    port_of_lading_name: Optional[str]
    port_of_discharge_name: Optional[str]
    containers_count: Optional[int]
    tracking_stopped: Optional[bool]
    tracking_stopped_reason: Optional[str]
    status: Optional[str]
    failed_reason: Optional[str]
    ref_numbers: List[str]
    created_at: str
    updated_at: str


class ShareLink(Resource):
    name: str
    expires_at: str
    company_name: Optional[str]
    color: Optional[str]
    allowed_origins: List[str]
    url: Optional[str]
    token: Optional[str]
    created_by: Dict[str, Any]
    created_at: str
    updated_at: str
    shipment: Optional[Shipment]
    saved_view: Optional[SavedView]


class Shipment(Resource):
    bill_of_lading_number: str
    normalized_number: str
    ref_numbers: Optional[List[str]]
    created_at: str
    tags: List[str]
    port_of_lading_locode: Optional[str]
    port_of_lading_name: Optional[str]
    port_of_discharge_locode: Optional[str]
    port_of_discharge_name: Optional[str]
    destination_locode: Optional[str]
    destination_name: Optional[str]
    shipping_line_scac: str
    shipping_line_name: str
    shipping_line_short_name: str
    customer_name: Optional[str]
    pod_vessel_name: Optional[str]
    pod_vessel_imo: Optional[str]
    pod_voyage_number: Optional[str]
    pol_etd_at: Optional[str]
    pol_atd_at: Optional[str]
    pod_eta_at: Optional[str]
    pod_original_eta_at: Optional[str]
    pod_ata_at: Optional[str]
    destination_eta_at: Optional[str]
    destination_ata_at: Optional[str]
    pol_timezone: Optional[str]
    pod_timezone: Optional[str]
    destination_timezone: Optional[str]
    line_tracking_last_attempted_at: Optional[str]
    line_tracking_last_succeeded_at: Optional[str]
    line_tracking_stopped_at: Optional[str]
    line_tracking_stopped_reason: Optional[str]
    pol_original_etd_at: Optional[str]
    destination_original_eta_at: Optional[str]
    status: str
    pod_eta: Optional[str]
    destination: Optional[Union[Port, MetroArea]]
    port_of_lading: Optional[Union[Port, MetroArea]]
    containers: List[Container]
    port_of_discharge: Optional[Union[Port, MetroArea]]
    pod_terminal: Optional[Terminal]
    destination_terminal: Optional[Union[Terminal, RailTerminal]]
    line_tracking_stopped_by_user: Optional[User]
    customer: Optional[Party]
    party_roles: List[PartyRole]
    custom_fields: List[CustomField]


class ShipmentEta(Resource):
    eta_at: str
    day_only: bool
    heard_at: str
    stated_at: Optional[str]
    said_by: str
    source_code: str
    classifier: str
    port_of_discharge_locode: str
    vessel_imo: Optional[str]
    vessel_name: Optional[str]
    voyage_number: Optional[str]
    container_numbers: List[str]
    current: bool
    earliest_at: Optional[str]
    latest_at: Optional[str]
    position_heard_at: Optional[str]
    remaining_nautical_miles: Optional[float]
    speed_knots: Optional[float]
    made_of: Optional[Dict[str, Any]]


class ShippingLine(Resource):
    scac: str
    name: str
    alternative_scacs: List[str]
    short_name: str
    bill_of_lading_tracking_support: bool
    booking_number_tracking_support: bool
    container_number_tracking_support: bool
    provided_data: Dict[str, Any]
    tracking_url: Optional[str]
    contact_url: Optional[str]
    bol_prefix: Optional[str]


class Snapshot(Resource):
    read_at: str
    source: Dict[str, Any]
    is_asked: bool
    about: Dict[str, Any]
    status: int
    media_type: Optional[str]
    bytes: int
    sha256: str


class Source(Resource):
    name: str
    speaker: str
    code: str
    language: str
    own: bool
    enabled: bool
    asked: bool
    told: bool
    asked_by: List[str]
    billed: bool
    verified: bool
    verified_at: Optional[str]
    last_heard_at: Optional[str]
    left_alone_until: Optional[str]
    left_alone_because: Optional[str]
    failures_in_a_row: int
    last_asked_at: Optional[str]
    last_answered_at: Optional[str]
    answered_share: Optional[float]
    answer_seconds: Optional[float]
    news_delay_seconds: Optional[float]
    contradictions: int
    milestones: Optional[Dict[str, Any]]
    requests: Optional[Dict[str, Any]]
    trouble: Optional[str]
    recent_answers: Optional[Dict[str, Any]]


class SourceScorecard(Resource):
    speaker: str
    code: str
    name: str
    requests_this_month: Optional[int]
    answered_share: Optional[float]
    containers: int
    milestones_known: int
    milestones_told: int
    told_share: Optional[float]
    milestones_timed: int
    told_within_12h_share: Optional[float]
    told_within_24h_share: Optional[float]
    milestones_corrected: int
    contradicted: int
    answer_changes: List[Dict[str, Any]]
    free_days: Optional[Dict[str, Any]]
    provided_data: Optional[List[Dict[str, Any]]]


class Statement(Resource):
    says: str
    value: Optional[Union[str, float, bool, Dict[str, Any], List[Any]]]
    reason: Optional[str]
    stated_at: str
    stated_by: Dict[str, Any]
    stands: bool
    container: Optional[Container]


class Terminal(Resource):
    name: str
    nickname: str
    firms_code: str
    smdg_code: Optional[str]
    bic_facility_code: Optional[str]
    street: Optional[str]
    city: str
    state: Optional[str]
    state_abbr: Optional[str]
    zip: str
    country: str
    provided_data: Dict[str, Any]
    facility_type: str
    port: Optional[Union[Port, MetroArea]]


class TrackingAttempt(Resource):
    attempted_at: str
    scac: str
    asked_as: str
    asked_number: str
    outcome: str
    outcome_meaning: str
    unchanged: bool
    http_status: Optional[int]
    duration_ms: int
    snapshot_id: Optional[str]
    events: Optional[Dict[str, Any]]
    next: Dict[str, Any]


class TrackingRequest(Resource):
    request_number: str
    ref_numbers: Optional[List[str]]
    tags: List[str]
    status: str
    failed_reason: Optional[str]
    request_type: str
    scac: Optional[str]
    created_at: str
    updated_at: str
    is_retrying: bool
    retry_count: Optional[int]
    shipment_tags: List[str]
    tracked_object: Optional[Shipment]
    customer: Optional[Party]
    party_roles: List[PartyRole]
    user: Optional[User]
    account: Optional[Account]
    shipping_line: Optional[ShippingLine]
    custom_fields: List[CustomField]


class TrackingRequestBatch(Resource):
    created_at: str
    total: int
    created: int
    queued: int
    refused: int
    done_at_earliest: Optional[str]
    items: List[Dict[str, Any]]


class TransportEvent(Resource):
    event: str
    voyage_number: Optional[str]
    timestamp: Optional[str]
    timezone: Optional[str]
    location_locode: Optional[str]
    created_at: str
    data_source: str
    invalidated_at: Optional[str]
    value: Optional[str]
    shipment: Optional[Shipment]
    location: Optional[Union[Port, MetroArea]]
    vessel: Optional[Vessel]
    terminal: Optional[Union[Terminal, RailTerminal]]
    container: Optional[Container]
    source_event: Optional[RawEvent]
    previous_version: Optional[TransportEvent]


class UnmappedCode(Resource):
    channel: str
    language: str
    kind: str
    field: str
    code: str
    reason: str
    text: str
    parts: int
    first_seen_at: str
    last_seen_at: str
    example: Dict[str, Any]


class Usage(Resource):
    counted_at: str
    limits: List[Dict[str, Any]]
    months: List[Dict[str, Any]]


class User(Resource):
    name: Optional[str]
    email: str


class Vessel(Resource):
    name: str
    imo: Optional[str]
    mmsi: Optional[str]
    latitude: Optional[float]
    longitude: Optional[float]
    nautical_speed_knots: Optional[float]
    navigational_heading_degrees: Optional[float]
    position_timestamp: Optional[str]
    positions: Optional[List[Dict[str, Any]]]


class Webhook(Resource):
    url: str
    active: bool
    events: List[str]
    secret: Optional[str]
    headers: Optional[List[Dict[str, Any]]]
    format: Optional[str]
    edi_ids: Optional[Dict[str, Any]]
    content_type: Optional[str]
    signature_header: Optional[str]


class WebhookEventCategory(Resource):
    name: str
    events: List[Dict[str, Any]]


class WebhookNotification(Resource):
    event: str
    delivery_status: str
    created_at: str
    sequence: int
    webhook: Optional[Webhook]
    reference_object: Optional[Union[TrackingRequest, EstimatedEvent, TransportEvent, ContainerCreatedEvent, ContainerUpdatedEvent, ContainerPodTerminalChangedEvent, ContainerChargesEvent, ContainerOverdueEvent, Document, LedgerRoot]]
    webhook_notification_logs: List[WebhookNotificationLog]


class WebhookNotificationLog(Resource):
    attempt: int
    status_code: Optional[int]
    error: Optional[str]
    address: Optional[str]
    duration_ms: int
    response_body: Optional[str]
    created_at: str
    next_attempt_at: Optional[str]
    webhook_notification: Optional[WebhookNotification]


CLASSES: Mapping[str, Type[Resource]] = {
    "account": Account,
    "api_key": ApiKey,
    "audit_event": AuditEvent,
    "calendar": Calendar,
    "alert_rule": AlertRule,
    "attention_entry": AttentionEntry,
    "attention_item": AttentionItem,
    "change": Change,
    "charge_terms": ChargeTerms,
    "code_mapping": CodeMapping,
    "column_map": ColumnMap,
    "container": Container,
    "container_charges_event": ContainerChargesEvent,
    "container_overdue_event": ContainerOverdueEvent,
    "container_created_event": ContainerCreatedEvent,
    "container_pod_terminal_changed_event": ContainerPodTerminalChangedEvent,
    "container_updated_event": ContainerUpdatedEvent,
    "custom_field": CustomField,
    "custom_field_definition": CustomFieldDefinition,
    "custom_field_option": CustomFieldOption,
    "document": Document,
    "document_representation": DocumentRepresentation,
    "document_schema": DocumentSchema,
    "email_submission": EmailSubmission,
    "eta_outcome": EtaOutcome,
    "eta_score": EtaScore,
    "estimated_event": EstimatedEvent,
    "event": Event,
    "inbound_message": InboundMessage,
    "invitation": Invitation,
    "expectation": Expectation,
    "invoice_audit": InvoiceAudit,
    "import": Import,
    "import_row": ImportRow,
    "issue": Issue,
    "job": Job,
    "ledger_root": LedgerRoot,
    "mailbox": Mailbox,
    "mailbox_sender": MailboxSender,
    "member": Member,
    "metro_area": MetroArea,
    "note": Note,
    "party": Party,
    "party_role": PartyRole,
    "port": Port,
    "rail_terminal": RailTerminal,
    "raw_event": RawEvent,
    "route": Route,
    "route_location": RouteLocation,
    "saved_view": SavedView,
    "search_result": SearchResult,
    "share_link": ShareLink,
    "shipment": Shipment,
    "shipment_eta": ShipmentEta,
    "shipping_line": ShippingLine,
    "snapshot": Snapshot,
    "source": Source,
    "source_scorecard": SourceScorecard,
    "statement": Statement,
    "terminal": Terminal,
    "tracking_attempt": TrackingAttempt,
    "tracking_request": TrackingRequest,
    "tracking_request_batch": TrackingRequestBatch,
    "transport_event": TransportEvent,
    "unmapped_code": UnmappedCode,
    "usage": Usage,
    "user": User,
    "vessel": Vessel,
    "webhook": Webhook,
    "webhook_event_category": WebhookEventCategory,
    "webhook_notification": WebhookNotification,
    "webhook_notification_log": WebhookNotificationLog,
}
