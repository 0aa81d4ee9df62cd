BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE devices (
	hash TEXT NOT NULL, 
	who TEXT NOT NULL, 
	made_at BIGINT NOT NULL, 
	revoked BOOLEAN NOT NULL, 
	PRIMARY KEY (hash)
);
CREATE TABLE entries (
	table_key BIGINT NOT NULL, 
	number INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	message TEXT, 
	who TEXT, 
	body TEXT NOT NULL, 
	PRIMARY KEY (table_key, number), 
	CONSTRAINT entries_table FOREIGN KEY(table_key) REFERENCES tables ("key")
);
INSERT INTO "entries" VALUES(1,0,'opened',1790000000000,NULL,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','{"kind":"opened","settings":{"game":"out-of-sock","seats":["me","open","bot:hard"],"options":{"variant":"beginner"},"games":3,"starts":"trailing","clock":{"kind":"bank","seconds":600,"zero":"lose"},"listed":true,"hints":false},"who":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"Zoë"}');
INSERT INTO "entries" VALUES(1,1,'sat',1790000000001,'b:1','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','{"kind":"sat","seat":1,"who":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","name":"O''Neil \"<b>\" 🧦"}');
INSERT INTO "entries" VALUES(1,2,'filled',1790000000002,NULL,NULL,'{"kind":"filled","seat":2,"level":"hard"}');
INSERT INTO "entries" VALUES(1,3,'began',1790000000003,NULL,NULL,'{"kind":"began","secret":"5ec4e7","first":1}');
INSERT INTO "entries" VALUES(1,4,'moved',1790000000004,'b:2',NULL,'{"kind":"moved","seat":1,"words":["d","roll:3"]}');
INSERT INTO "entries" VALUES(1,5,'moved',1790000000005,NULL,NULL,'{"kind":"moved","seat":2,"words":["x1"],"by":"bot"}');
INSERT INTO "entries" VALUES(1,6,'undone',1790000000006,'b:3',NULL,'{"kind":"undone","seat":1}');
INSERT INTO "entries" VALUES(1,7,'flagged',1790000000007,NULL,NULL,'{"kind":"flagged","seat":0}');
INSERT INTO "entries" VALUES(1,8,'began',1790000000008,NULL,NULL,'{"kind":"began","secret":"5ec4e8"}');
INSERT INTO "entries" VALUES(1,9,'left',1790000000009,'b:4',NULL,'{"kind":"left","seat":1}');
INSERT INTO "entries" VALUES(1,10,'filled',1790000000010,NULL,NULL,'{"kind":"filled","seat":1,"level":"easy"}');
INSERT INTO "entries" VALUES(1,11,'ended',1790000000011,NULL,NULL,'{"kind":"ended"}');
INSERT INTO "entries" VALUES(1,12,'rematched',1790000000012,'a:9',NULL,'{"kind":"rematched"}');
INSERT INTO "entries" VALUES(1,13,'began',1790000000013,NULL,NULL,'{"kind":"began","secret":"5ec4e9","first":0}');
INSERT INTO "entries" VALUES(1,14,'ended',1790000000014,NULL,NULL,'{"kind":"ended"}');
INSERT INTO "entries" VALUES(2,0,'opened',1790000000000,NULL,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','{"kind":"opened","settings":{"game":"orma","seats":["me","me"],"options":{},"games":1,"starts":"rotate","clock":null,"listed":false,"hints":true},"who":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"Zoë"}');
INSERT INTO "entries" VALUES(2,1,'closed',1790000000001,NULL,NULL,'{"kind":"closed"}');
INSERT INTO "entries" VALUES(3,0,'opened',1790000000000,NULL,'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc','{"kind":"opened","settings":{"game":"face-to-face","seats":["me","open"],"options":{},"games":1,"starts":"rotate","clock":null,"listed":true,"hints":true},"who":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","name":"Ugo"}');
CREATE TABLE links (
	hash TEXT NOT NULL, 
	who TEXT NOT NULL, 
	made_at BIGINT NOT NULL, 
	PRIMARY KEY (hash)
);
CREATE TABLE tables (
	"key" INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	game TEXT NOT NULL, 
	listed BOOLEAN NOT NULL, 
	opened_at BIGINT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "tables" VALUES(1,'whole','out-of-sock',1,1790000000000);
INSERT INTO "tables" VALUES(2,'closed','orma',0,1790000000000);
INSERT INTO "tables" VALUES(3,'waiting','face-to-face',1,1790000000000);
CREATE UNIQUE INDEX tables_id ON tables (id);
CREATE INDEX tables_lobby ON tables (listed, opened_at);
CREATE INDEX entries_who ON entries (who) WHERE who IS NOT NULL;
CREATE INDEX entries_kind ON entries (table_key, kind, number) WHERE kind <> 'moved';
CREATE INDEX links_who ON links (who);
CREATE INDEX devices_who ON devices (who);
COMMIT;
