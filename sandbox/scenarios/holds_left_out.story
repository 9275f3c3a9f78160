# For a day the terminal leaves holds and fees out of its answers: missing is not empty, and the box is held as before.
scac YMLU
booking YMS700134 known +000 06:00
bill E236700134 known +012 09:00
box YMMU7001346 45G1
call O TWKHH TRUCK DEPO
call I TWKHH TRUCK
call A TWKHH VESSEL : YM WELLBEING / 9820908 / 021E
call B USNYC VESSEL : YM WELLBEING / 9820908 / 021E
call G USNYC TRUCK
call R USNYC TRUCK DEPO
+004 06:00 ACT GTOT EMPTY O   +004 11:20
+007 09:00 ACT GTIN LADEN I   +007 15:45
+010 10:00 ACT LOAD LADEN A   +010 16:10
+010 16:00 ACT DEPA A         +010 21:40
+010 18:00 EST ARRI B         +038 08:00
+038 22:00 ACT ARRI B         +038 09:12
+039 12:00 ACT DISC LADEN B   +038 22:30
+046 22:00 ACT GTOT LADEN G   +046 11:20
+050 22:00 ACT GTIN EMPTY R   +050 10:25
port known  +035 18:00
port hold   customs +038 02:00 +043 18:00 intensive examination
port silent +041 06:00 +042 08:00
port fee    exam 425 USD +040 20:00 +046 12:00
port ready  +039 10:00
port free   +039 14:00 +047
port spot   +039 03:30 F03-18-1
port slot   +044 18:00 +046 11:00
