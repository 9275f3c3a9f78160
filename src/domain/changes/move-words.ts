/**
 * Moves in words, the same in sentences about changes and in the portal, which loads this file as well: it imports
 * nothing. After `@` stands what joins the place to it: "Ship left Shanghai", "Ship arrived at Los Angeles".
 */
export const moveWords: Readonly<Record<string, string>> = {
  empty_out: 'Empty picked up@at',
  full_in: 'Brought to the terminal@at',
  vessel_loaded: 'Loaded on the ship@at',
  vessel_departed: 'Ship left@',
  transshipment_arrived: 'Ship arrived to hand over@at',
  transshipment_discharged: 'Unloaded to change ship@at',
  transshipment_loaded: 'Loaded on the next ship@at',
  transshipment_departed: 'Next ship left@',
  feeder_arrived: 'Feeder arrived@at',
  feeder_discharged: 'Unloaded from the feeder@at',
  feeder_loaded: 'Loaded on the feeder@at',
  feeder_departed: 'Feeder left@',
  vessel_arrived: 'Ship arrived@at',
  vessel_berthed: 'Ship berthed@at',
  vessel_discharged: 'Unloaded from the ship@at',
  rail_loaded: 'Loaded on the train@at',
  rail_departed: 'Train left@',
  rail_arrived: 'Train arrived@at',
  rail_unloaded: 'Unloaded from the train@at',
  arrived_at_inland_destination: 'Arrived inland@at',
  full_out: 'Picked up@at',
  delivered: 'Delivered@at',
  empty_in: 'Returned empty@at',
}
