# Holds are expected, set, lifted and one of them set anew; what is owed is told by itself and in total.
scac ONEY
booking NGBG7Q700124 known +000 06:00
bill NGBG7Q700124 known +012 09:00
box ONEU7001242 45G1
call O CNNGB TRUCK DEPO
call I CNNGB TRUCK
call A CNNGB VESSEL : ONE FRUITION / 9934371 / 021E
call B USLGB VESSEL : ONE FRUITION / 9934371 / 021E
call G USLGB TRUCK
call R USLGB TRUCK DEPO
+004 06:00 ACT GTOT EMPTY O   +004 11:20
+007 09:00 ACT GTIN LADEN I   +007 15:45
+010 10:00 ACT LOAD LADEN A   +010 16:10
+010 16:00 ACT DEPA A         +010 21:40
+010 18:00 EST ARRI B         +025 08:00 until +025 22:00
+025 22:00 ACT ARRI B         +025 09:12
+026 12:00 ACT DISC LADEN B   +025 22:30
+032 22:00 ACT GTOT LADEN G   +032 11:20
+036 22:00 ACT GTIN EMPTY R   +036 10:25
port known   +022 18:00
port pending customs +022 18:00 +025 02:00 selected for review
port hold    customs +025 02:00 +027 18:00 intensive examination
port hold    freight +022 18:00 +026 20:00 freight due
port ready   +026 12:00
# Then nothing holds it, until customs want to see it once more.
port hold    customs +029 02:00 +031 02:00 second examination
port free    +026 14:00 +029
port fee     exam 425 USD      +027 20:00 +032 16:00
port fee     demurrage 460 USD +030 08:00 +032 16:00
port fee     total 425 USD     +027 20:00 +030 08:00
port fee     total 885 USD     +030 08:00 +032 16:00
port hold    other +030 08:00 +032 16:00 demurrage due
port spot    +026 06:30 F03-18-1
port slot    +028 16:00 +030 09:00
port slot    +031 18:00 +032 11:00
