# The shipper cancels the booking before a box is fetched.
scac SQQY
booking SL700112 known +003 05:00
call A INMUN VESSEL : CAPE CITIUS / 9848742 / 603W
call B USNYC VESSEL : CAPE CITIUS / 9848742 / 603W
+003 05:00 ACT CONF BKG A     +003 10:00
+003 06:00 PLN DEPA A         +014 12:00
+003 06:00 PLN ARRI B         +040 12:00
+007 11:00 ACT CANC BKG A     +007 16:00
