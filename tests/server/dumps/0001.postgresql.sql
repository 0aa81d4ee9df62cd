CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.entries (
    table_id text NOT NULL,
    number integer NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    message text,
    who text,
    body text NOT NULL
);
CREATE TABLE public.tables (
    id text NOT NULL,
    game text NOT NULL,
    listed boolean NOT NULL,
    opened_at bigint NOT NULL
);
INSERT INTO public.alembic_version VALUES ('0001');
INSERT INTO public.entries VALUES ('whole', 0, 'opened', 1790000000000, NULL, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '{"kind":"opened","settings":{"game":"out-of-sock","seats":["me","open","bot:hard"],"options":{"variant":"beginner"},"games":3,"starts":"trailing","clock":{"kind":"bank","seconds":600,"zero":"lose"},"listed":true,"hints":false},"who":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"Zoë"}');
INSERT INTO public.entries VALUES ('whole', 1, 'sat', 1790000000001, 'b:1', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', '{"kind":"sat","seat":1,"who":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","name":"O''Neil \"<b>\" 🧦"}');
INSERT INTO public.entries VALUES ('whole', 2, 'filled', 1790000000002, NULL, NULL, '{"kind":"filled","seat":2,"level":"hard"}');
INSERT INTO public.entries VALUES ('whole', 3, 'began', 1790000000003, NULL, NULL, '{"kind":"began","secret":"5ec4e7","first":1}');
INSERT INTO public.entries VALUES ('whole', 4, 'moved', 1790000000004, 'b:2', NULL, '{"kind":"moved","seat":1,"words":["d","roll:3"]}');
INSERT INTO public.entries VALUES ('whole', 5, 'moved', 1790000000005, NULL, NULL, '{"kind":"moved","seat":2,"words":["x1"],"by":"bot"}');
INSERT INTO public.entries VALUES ('whole', 6, 'undone', 1790000000006, 'b:3', NULL, '{"kind":"undone","seat":1}');
INSERT INTO public.entries VALUES ('whole', 7, 'flagged', 1790000000007, NULL, NULL, '{"kind":"flagged","seat":0}');
INSERT INTO public.entries VALUES ('whole', 8, 'began', 1790000000008, NULL, NULL, '{"kind":"began","secret":"5ec4e8"}');
INSERT INTO public.entries VALUES ('whole', 9, 'left', 1790000000009, 'b:4', NULL, '{"kind":"left","seat":1}');
INSERT INTO public.entries VALUES ('whole', 10, 'filled', 1790000000010, NULL, NULL, '{"kind":"filled","seat":1,"level":"easy"}');
INSERT INTO public.entries VALUES ('whole', 11, 'ended', 1790000000011, NULL, NULL, '{"kind":"ended"}');
INSERT INTO public.entries VALUES ('whole', 12, 'rematched', 1790000000012, 'a:9', NULL, '{"kind":"rematched"}');
INSERT INTO public.entries VALUES ('whole', 13, 'began', 1790000000013, NULL, NULL, '{"kind":"began","secret":"5ec4e9","first":0}');
INSERT INTO public.entries VALUES ('whole', 14, 'ended', 1790000000014, NULL, NULL, '{"kind":"ended"}');
INSERT INTO public.entries VALUES ('closed', 0, 'opened', 1790000000000, NULL, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '{"kind":"opened","settings":{"game":"orma","seats":["me","me"],"options":{},"games":1,"starts":"rotate","clock":null,"listed":false,"hints":true},"who":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"Zoë"}');
INSERT INTO public.entries VALUES ('closed', 1, 'closed', 1790000000001, NULL, NULL, '{"kind":"closed"}');
INSERT INTO public.entries VALUES ('waiting', 0, 'opened', 1790000000000, NULL, 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', '{"kind":"opened","settings":{"game":"face-to-face","seats":["me","open"],"options":{},"games":1,"starts":"rotate","clock":null,"listed":true,"hints":true},"who":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","name":"Ugo"}');
INSERT INTO public.tables VALUES ('whole', 'out-of-sock', true, 1790000000000);
INSERT INTO public.tables VALUES ('closed', 'orma', false, 1790000000000);
INSERT INTO public.tables VALUES ('waiting', 'face-to-face', true, 1790000000000);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (table_id, number);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (id);
CREATE INDEX entries_kind ON public.entries USING btree (table_id, kind, number) WHERE (kind <> 'moved'::text);
CREATE UNIQUE INDEX entries_message ON public.entries USING btree (table_id, message) WHERE (message IS NOT NULL);
CREATE INDEX entries_who ON public.entries USING btree (who) WHERE (who IS NOT NULL);
CREATE INDEX tables_lobby ON public.tables USING btree (listed, opened_at);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_table FOREIGN KEY (table_id) REFERENCES public.tables(id);
