/**
 * Names of the wire contract, copied: the attributes and relationships of each resource. They are facts about an API
 * for which clients were written, so we do not change them. What we add is in docs/divergences.md.
 */

export interface ContractResource {
  readonly attributes: readonly string[]
  readonly relationships: readonly string[]
}

export const contractResources: Readonly<Record<string, ContractResource>> = {
  account: {
    attributes: 'company_name'.split(' '),
    relationships: [],
  },
  container: {
    attributes:
      'number ref_numbers equipment_type equipment_length equipment_height weight_in_lbs created_at seal_number pickup_lfd pickup_appointment_at availability_known available_for_pickup pod_arrived_at pod_discharged_at pod_full_out_at terminal_checked_at pod_full_out_chassis_number location_at_pod_terminal final_destination_full_out_at empty_terminated_at holds_at_pod_terminal fees_at_pod_terminal pod_timezone final_destination_timezone empty_terminated_timezone pod_rail_carrier_scac ind_rail_carrier_scac pod_last_tracking_request_at shipment_last_tracking_request_at pod_rail_loaded_at pod_rail_departed_at ind_eta_at ind_ata_at ind_rail_unloaded_at ind_facility_lfd_on import_deadlines current_status delivered_at empty_out_at pol_full_in_at pol_vessel_loaded_at pol_vessel_departed_at rail_last_tracking_request_at ind_facility_holds ind_facility_fees ssl_lfd'.split(
        ' ',
      ),
    relationships: 'shipment pickup_facility pod_terminal transport_events raw_events'.split(' '),
  },
  container_created_event: {
    attributes: 'timestamp timezone'.split(' '),
    relationships: 'container shipment'.split(' '),
  },
  container_pod_terminal_changed_event: {
    attributes: 'data_source timestamp'.split(' '),
    relationships: 'container shipment terminal'.split(' '),
  },
  container_updated_event: {
    attributes: 'changeset timestamp timezone data_source'.split(' '),
    relationships: 'container terminal shipment'.split(' '),
  },
  custom_field: {
    attributes: 'api_slug value display_value'.split(' '),
    relationships: 'entity definition'.split(' '),
  },
  custom_field_definition: {
    attributes:
      'entity_type api_slug display_name description data_type reference_type validation default_format default_value template_id created_at updated_at'.split(
        ' ',
      ),
    relationships: 'account fields options'.split(' '),
  },
  custom_field_option: {
    attributes: 'label value position'.split(' '),
    relationships: [],
  },
  document: {
    attributes:
      'id name document_type document_type_manual classification_notes source file_name file_content_type file_size_bytes parsed created_at updated_at'.split(
        ' ',
      ),
    relationships: 'account user email_submission last_document_representation parent_document shipments cargos'.split(
      ' ',
    ),
  },
  document_representation: {
    attributes: 'schema_version payload created_at updated_at'.split(' '),
    relationships: [],
  },
  document_schema: {
    attributes:
      'document_type label schema_version full_version current draft active_at schema_format description schema_payload created_at updated_at'.split(
        ' ',
      ),
    relationships: [],
  },
  email_submission: {
    attributes:
      'subject body from to cc sent_at message_id in_reply_to references content_type documents_count created_at updated_at'.split(
        ' ',
      ),
    relationships: 'account user documents'.split(' '),
  },
  estimated_event: {
    attributes: 'created_at estimated_timestamp event location_locode timezone voyage_number data_source'.split(' '),
    relationships: 'shipment port vessel'.split(' '),
  },
  metro_area: {
    attributes: 'name code state_abbr country_code time_zone latitude longitude id'.split(' '),
    relationships: [],
  },
  party: {
    attributes: 'company_name'.split(' '),
    relationships: [],
  },
  port: {
    attributes: 'name code state_abbr city country_code time_zone latitude longitude id'.split(' '),
    relationships: 'terminals'.split(' '),
  },
  rail_terminal: {
    attributes: 'name nickname firms_code city id'.split(' '),
    relationships: 'port metro_area'.split(' '),
  },
  raw_event: {
    attributes:
      'event original_event timestamp estimated actual_on estimated_on actual_at estimated_at timezone created_at location_name location_locode vessel_name vessel_imo index voyage_number will_occur_at invalidated_at data_source data_provider_name data_provider_code'.split(
        ' ',
      ),
    relationships: 'location vessel container terminal'.split(' '),
  },
  route: {
    attributes: 'created_at updated_at'.split(' '),
    relationships: 'route_locations'.split(' '),
  },
  route_location: {
    attributes:
      'inbound_scac inbound_mode inbound_eta_at inbound_ata_at inbound_voyage_number outbound_scac outbound_mode outbound_etd_at outbound_atd_at outbound_voyage_number created_at updated_at'.split(
        ' ',
      ),
    relationships: 'route location inbound_vessel outbound_vessel port'.split(' '),
  },
  search_result: {
    attributes:
      'entity_type number shipment_id scac port_of_lading_name port_of_discharge_name containers_count tracking_stopped tracking_stopped_reason status failed_reason ref_numbers created_at updated_at'.split(
        ' ',
      ),
    relationships: [],
  },
  shipment: {
    attributes:
      'bill_of_lading_number normalized_number ref_numbers created_at tags port_of_lading_locode port_of_lading_name port_of_discharge_locode port_of_discharge_name destination_locode destination_name shipping_line_scac shipping_line_name shipping_line_short_name customer_name pod_vessel_name pod_vessel_imo pod_voyage_number pol_etd_at pol_atd_at pod_eta_at pod_original_eta_at pod_ata_at destination_eta_at destination_ata_at pol_timezone pod_timezone destination_timezone line_tracking_last_attempted_at line_tracking_last_succeeded_at line_tracking_stopped_at line_tracking_stopped_reason pol_original_etd_at destination_original_eta_at status pod_eta'.split(
        ' ',
      ),
    relationships:
      'destination port_of_lading containers port_of_discharge pod_terminal destination_terminal line_tracking_stopped_by_user'.split(
        ' ',
      ),
  },
  shipping_line: {
    attributes:
      'scac name alternative_scacs short_name bill_of_lading_tracking_support booking_number_tracking_support container_number_tracking_support provided_data tracking_url contact_url bol_prefix'.split(
        ' ',
      ),
    relationships: [],
  },
  terminal: {
    attributes:
      'name nickname firms_code smdg_code bic_facility_code street city state state_abbr zip country provided_data facility_type id'.split(
        ' ',
      ),
    relationships: 'port'.split(' '),
  },
  tracking_request: {
    attributes:
      'request_number ref_numbers tags status failed_reason request_type scac created_at updated_at is_retrying retry_count shipment_tags'.split(
        ' ',
      ),
    relationships: 'tracked_object customer user account shipping_line'.split(' '),
  },
  transport_event: {
    attributes:
      'event voyage_number timestamp timezone location_locode created_at data_source invalidated_at value'.split(' '),
    relationships: 'shipment location vessel terminal container source_event previous_version'.split(' '),
  },
  vessel: {
    attributes:
      'name imo mmsi latitude longitude nautical_speed_knots navigational_heading_degrees position_timestamp positions'.split(
        ' ',
      ),
    relationships: [],
  },
  webhook: {
    attributes: 'url active events secret headers'.split(' '),
    relationships: [],
  },
  webhook_notification: {
    attributes: 'event delivery_status created_at sequence'.split(' '),
    relationships: 'webhook reference_object webhook_notification_logs'.split(' '),
  },
  webhook_notification_log: {
    attributes: 'attempt status_code error duration_ms response_body created_at next_attempt_at'.split(' '),
    relationships: 'webhook_notification'.split(' '),
  },
  webhook_event_category: {
    attributes: 'name events'.split(' '),
    relationships: [],
  },
}
