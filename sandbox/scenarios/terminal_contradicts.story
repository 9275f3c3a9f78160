# The line tells a discharge and a collection before they are so; the terminal tells when they truly are.
scac OOLU
booking 2670012300
bill 2670012300 known +010 06:00
box OOCU7001231 45G1
call O CNSHG TRUCK DEPO
call I CNSHG TRUCK
call A CNSHG VESSEL : OOCL SPAIN / 9908126 / 015E
call B USLAX VESSEL : OOCL SPAIN / 9908126 / 015E
call G USLAX TRUCK
call R USLAX TRUCK DEPO
+001 03:00 ACT CONF BKG O     +001 09:30
+001 04:00 PLN DEPA A         +010 20:00 until +010 16:00
+001 04:00 PLN ARRI B         +025 06:00 until +010 18:00
+004 06:00 ACT GTOT EMPTY O   +004 11:20
+007 09:00 ACT GTIN LADEN I   +007 15:45
+010 10:00 ACT LOAD LADEN A   +010 16:10
+010 16:00 ACT DEPA A         +010 21:40
+010 18:00 EST ARRI B         +025 08:00 until +025 22:00
+025 22:00 ACT ARRI B         +025 09:12
+026 12:00 ACT DISC LADEN B   +026 01:30 false
fact DISC LADEN B             +026 16:10
+029 06:00 ACT GTOT LADEN G   +028 15:05 false
fact GTOT LADEN G             +029 10:20
+033 22:00 ACT GTIN EMPTY R   +033 10:25
port known +022 18:00
port ready +027 06:00
port free  +027 02:00 +032
port spot  +027 00:10 C14-22-2
port slot  +027 20:00 +029 10:00
