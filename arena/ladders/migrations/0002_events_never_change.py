"""A rating event is written once; a rebuild may replace it, nothing changes it."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION ladders_event_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rating event % never changes', OLD.id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER ladders_event_never_changes BEFORE UPDATE ON ladders_ratingevent
    FOR EACH ROW EXECUTE FUNCTION ladders_event_never_changes();
"""

BACKWARD = """
DROP TRIGGER ladders_event_never_changes ON ladders_ratingevent;
DROP FUNCTION ladders_event_never_changes();
"""


class Migration(migrations.Migration):
    dependencies = [("ladders", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
