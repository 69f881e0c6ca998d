"""A version never changes after upload: the database itself refuses it."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION bots_version_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.bot_id, NEW.number, NEW.sha256, NEW.language, NEW.manifest, NEW.presets, NEW.seats, NEW.size)
        IS DISTINCT FROM
        (OLD.bot_id, OLD.number, OLD.sha256, OLD.language, OLD.manifest, OLD.presets, OLD.seats, OLD.size)
    THEN
        RAISE EXCEPTION 'bot version % never changes after upload; upload a new one', OLD.id
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER bots_version_never_changes BEFORE UPDATE ON bots_botversion
    FOR EACH ROW EXECUTE FUNCTION bots_version_never_changes();

CREATE FUNCTION bots_archive_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the archive of bot version % never changes after upload', OLD.version_id
        USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER bots_archive_never_changes BEFORE UPDATE OF archive ON bots_versionfiles
    FOR EACH ROW WHEN (NEW.archive IS DISTINCT FROM OLD.archive) EXECUTE FUNCTION bots_archive_never_changes();
"""

BACKWARD = """
DROP TRIGGER bots_version_never_changes ON bots_botversion;
DROP FUNCTION bots_version_never_changes();
DROP TRIGGER bots_archive_never_changes ON bots_versionfiles;
DROP FUNCTION bots_archive_never_changes();
"""


class Migration(migrations.Migration):
    dependencies = [("bots", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
