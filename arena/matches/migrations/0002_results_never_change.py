"""What was committed to, and what was played, never changes: the database itself refuses it."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION matches_terms_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.kind, NEW.preset, NEW.rules, NEW.seats, NEW.sets, NEW.orders, NEW.time_control, NEW.seed, NEW.commitment)
        IS DISTINCT FROM
        (OLD.kind, OLD.preset, OLD.rules, OLD.seats, OLD.sets, OLD.orders, OLD.time_control, OLD.seed, OLD.commitment)
    THEN
        RAISE EXCEPTION 'the terms and the seed of match % never change', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.state IN ('finished', 'abandoned', 'cancelled') AND NEW.state <> OLD.state THEN
        RAISE EXCEPTION 'match % has ended as %', OLD.id, OLD.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER matches_terms_never_change BEFORE UPDATE ON matches_match
    FOR EACH ROW EXECUTE FUNCTION matches_terms_never_change();

CREATE FUNCTION matches_deal_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'deal % of match % never changes', OLD.index, OLD.match_id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER matches_deal_never_changes BEFORE UPDATE ON matches_deal
    FOR EACH ROW EXECUTE FUNCTION matches_deal_never_changes();
"""

BACKWARD = """
DROP TRIGGER matches_terms_never_change ON matches_match;
DROP FUNCTION matches_terms_never_change();
DROP TRIGGER matches_deal_never_changes ON matches_deal;
DROP FUNCTION matches_deal_never_changes();
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
