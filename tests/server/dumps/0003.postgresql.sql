CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.devices (
    hash text NOT NULL,
    who text NOT NULL,
    made_at bigint NOT NULL,
    revoked boolean NOT NULL
);
CREATE TABLE public.entries (
    table_key bigint NOT NULL,
    number integer NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    message text,
    who text,
    body text NOT NULL
);
CREATE TABLE public.links (
    hash text NOT NULL,
    who text NOT NULL,
    made_at bigint NOT NULL
);
CREATE TABLE public.tables (
    key bigint NOT NULL,
    id text NOT NULL,
    game text NOT NULL,
    listed boolean NOT NULL,
    opened_at bigint NOT NULL
);
CREATE SEQUENCE public.tables_key_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tables_key_seq OWNED BY public.tables.key;
ALTER TABLE ONLY public.tables ALTER COLUMN key SET DEFAULT nextval('public.tables_key_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0003');
INSERT INTO public.entries VALUES (1, 0, 'opened', 1790000000000, NULL, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '{"kind":"opened","settings":{"game":"out-of-sock","seats":["me","open","bot:hard"],"options":{"variant":"beginner"},"games":3,"starts":"trailing","clock":{"kind":"bank","seconds":600,"zero":"lose"},"listed":true,"hints":false},"who":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"Zoë"}');
INSERT INTO public.entries VALUES (1, 1, 'sat', 1790000000001, 'b:1', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', '{"kind":"sat","seat":1,"who":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","name":"O''Neil \"<b>\" 🧦"}');
INSERT INTO public.entries VALUES (1, 2, 'filled', 1790000000002, NULL, NULL, '{"kind":"filled","seat":2,"level":"hard"}');
INSERT INTO public.entries VALUES (1, 3, 'began', 1790000000003, NULL, NULL, '{"kind":"began","secret":"5ec4e7","first":1}');
INSERT INTO public.entries VALUES (1, 4, 'moved', 1790000000004, 'b:2', NULL, '{"kind":"moved","seat":1,"words":["d","roll:3"]}');
INSERT INTO public.entries VALUES (1, 5, 'moved', 1790000000005, NULL, NULL, '{"kind":"moved","seat":2,"words":["x1"],"by":"bot"}');
INSERT INTO public.entries VALUES (1, 6, 'undone', 1790000000006, 'b:3', NULL, '{"kind":"undone","seat":1}');
INSERT INTO public.entries VALUES (1, 7, 'flagged', 1790000000007, NULL, NULL, '{"kind":"flagged","seat":0}');
INSERT INTO public.entries VALUES (1, 8, 'began', 1790000000008, NULL, NULL, '{"kind":"began","secret":"5ec4e8"}');
INSERT INTO public.entries VALUES (1, 9, 'left', 1790000000009, 'b:4', NULL, '{"kind":"left","seat":1}');
INSERT INTO public.entries VALUES (1, 10, 'filled', 1790000000010, NULL, NULL, '{"kind":"filled","seat":1,"level":"easy"}');
INSERT INTO public.entries VALUES (1, 11, 'ended', 1790000000011, NULL, NULL, '{"kind":"ended"}');
INSERT INTO public.entries VALUES (1, 12, 'rematched', 1790000000012, 'a:9', NULL, '{"kind":"rematched"}');
INSERT INTO public.entries VALUES (1, 13, 'began', 1790000000013, NULL, NULL, '{"kind":"began","secret":"5ec4e9","first":0}');
INSERT INTO public.entries VALUES (1, 14, 'ended', 1790000000014, NULL, NULL, '{"kind":"ended"}');
INSERT INTO public.entries VALUES (2, 0, 'opened', 1790000000000, NULL, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '{"kind":"opened","settings":{"game":"orma","seats":["me","me"],"options":{},"games":1,"starts":"rotate","clock":null,"listed":false,"hints":true},"who":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"Zoë"}');
INSERT INTO public.entries VALUES (2, 1, 'closed', 1790000000001, NULL, NULL, '{"kind":"closed"}');
INSERT INTO public.entries VALUES (3, 0, 'opened', 1790000000000, NULL, 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', '{"kind":"opened","settings":{"game":"face-to-face","seats":["me","open"],"options":{},"games":1,"starts":"rotate","clock":null,"listed":true,"hints":true},"who":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","name":"Ugo"}');
INSERT INTO public.tables VALUES (1, 'whole', 'out-of-sock', true, 1790000000000);
INSERT INTO public.tables VALUES (2, 'closed', 'orma', false, 1790000000000);
INSERT INTO public.tables VALUES (3, 'waiting', 'face-to-face', true, 1790000000000);
SELECT pg_catalog.setval('public.tables_key_seq', 3, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (table_key, number);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (key);
CREATE INDEX devices_who ON public.devices USING btree (who);
CREATE INDEX entries_kind ON public.entries USING btree (table_key, kind, number) WHERE (kind <> 'moved'::text);
CREATE INDEX entries_who ON public.entries USING btree (who) WHERE (who IS NOT NULL);
CREATE INDEX links_who ON public.links USING btree (who);
CREATE UNIQUE INDEX tables_id ON public.tables USING btree (id);
CREATE INDEX tables_lobby ON public.tables USING btree (listed, opened_at);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_table FOREIGN KEY (table_key) REFERENCES public.tables(key);
