# It may be had, then its block is closed to trucks, then it may be had: twice, and nothing holds it.
scac HDMU
booking PUSM70012500
bill PUSM70012500 known +012 09:00
box HMMU7001251 45G1
call O KRPUS TRUCK DEPO
call I KRPUS TRUCK
call A KRPUS VESSEL : HMM HANUL / 9869239 / 008E
call B USSAV VESSEL : HMM HANUL / 9869239 / 008E
call G USSAV TRUCK
call R USSAV TRUCK DEPO
+004 06:00 ACT GTOT EMPTY O   +004 11:20
+007 09:00 ACT GTIN LADEN I   +007 15:45
+010 10:00 ACT LOAD LADEN A   +010 16:10
+010 16:00 ACT DEPA A         +010 21:40
+010 18:00 EST ARRI B         +034 08:00
+034 22:00 ACT ARRI B         +034 09:12
+035 12:00 ACT DISC LADEN B   +034 22:30
+040 22:00 ACT GTOT LADEN G   +040 11:20
+044 22:00 ACT GTIN EMPTY R   +044 10:25
port known  +031 18:00
port ready  +035 10:00
port closed +036 20:00 +037 20:00
port closed +038 20:00 +039 14:00
port free   +035 10:00 +041
port spot   +035 03:30 B21-11-3
port slot   +038 12:00 +040 11:00
