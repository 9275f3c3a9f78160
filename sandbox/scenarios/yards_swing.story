# Before the ship comes its berth is foretold now here, now there; on the quay the box is moved there and back.
scac HLCU
booking 17001260 known +000 07:00
bill HLCUNB12601AB126 known +012 08:00
box HLBU7001261 45G1
call O CNNGB TRUCK DEPO
call I CNNGB TRUCK
call A CNNGB VESSEL : SANTOS EXPRESS / 9777632 / 2603W
call B DEHAM VESSEL : SANTOS EXPRESS / 9777632 / 2603W
call G DEHAM TRUCK
call R DEHAM TRUCK DEPO
+000 07:00 ACT CONF BKG O     +000 14:00
+004 09:00 ACT GTOT EMPTY O   +004 15:00
+008 04:00 ACT GTIN LADEN I   +008 10:30
+010 01:00 ACT LOAD LADEN A   +010 06:20
+010 09:00 ACT DEPA A         +010 14:45
+010 09:30 EST ARRI B         +039 20:00 until +036 20:00
+012 08:00 ACT ISSU TRD A     +012 10:00
+036 20:00 EST ARRI B         +040 08:00 until +038 06:30
+038 06:30 EST ARRI B         +040 08:00 berth CTT until +038 10:00
+038 10:00 EST ARRI B         +040 08:00 until +039 14:30
+039 14:30 EST ARRI B         +040 08:00 berth CTB until +039 18:00
+039 18:00 EST ARRI B         +040 08:00 until +040 12:00
+040 12:00 ACT ARRI B         +040 09:10
+041 12:00 ACT DISC LADEN B   +040 22:40
+045 14:00 ACT GTOT LADEN G   +045 13:15
+048 14:00 ACT GTIN EMPTY R   +048 09:30
port known +039 22:00
port ready +041 04:00
port free  +041 04:00 +047
port spot  +040 21:40 A07-31-2
port spot  +041 16:00 D44-12-1
port spot  +042 02:00 A07-31-2
port spot  +042 12:00 D44-12-1
port spot  +042 22:00 A07-31-2
port slot  +043 08:00 +045 13:00
