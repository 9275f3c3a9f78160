# The line tells the collection and the empty return of a box that has not left the quay; its terminal tells when it leaves.
scac OOLU
booking 2670013200
bill 2670013200 known +010 06:00
box OOCU7001329 45G1
call O CNSHG TRUCK DEPO
call I CNSHG TRUCK
call A CNSHG VESSEL : OOCL SPAIN / 9908126 / 016E
call B USLAX VESSEL : OOCL SPAIN / 9908126 / 016E
call G USLAX TRUCK
call R USLAX TRUCK DEPO
+004 06:00 ACT GTOT EMPTY O   +004 11:20
+007 09:00 ACT GTIN LADEN I   +007 15:45
+010 10:00 ACT LOAD LADEN A   +010 16:10
+010 16:00 ACT DEPA A         +010 21:40
+010 18:00 EST ARRI B         +025 08:00 until +025 22:00
+025 22:00 ACT ARRI B         +025 09:12
+026 12:00 ACT DISC LADEN B   +026 01:30
+028 02:00 ACT GTOT LADEN G   +027 12:05 false until +030 06:00
+028 20:00 ACT GTIN EMPTY R   +028 09:40 false until +030 06:00
+030 06:00 ACT GTOT LADEN G   +029 10:20
+033 22:00 ACT GTIN EMPTY R   +033 10:25
port known +022 18:00
port ready +026 18:00
port free  +026 14:00 +032
port spot  +026 09:30 C16-20-4
port slot  +027 20:00 +029 10:00
