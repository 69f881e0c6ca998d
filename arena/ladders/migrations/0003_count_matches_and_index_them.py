"""A ladder counts its rated matches itself, and its newest ones are found without reading all of them."""

from django.db import migrations, models

COUNT = """
UPDATE ladders_ladder SET played = (
    SELECT count(*) FROM ladders_laddermatch
    WHERE ladders_laddermatch.ladder_id = ladders_ladder.id AND ladders_laddermatch.applied_at IS NOT NULL
);
"""


class Migration(migrations.Migration):
    dependencies = [("ladders", "0002_events_never_change")]
    operations = [
        migrations.AddField(
            model_name="ladder",
            name="played",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False, help_text="Matches rated."),
        ),
        migrations.AddIndex(
            model_name="laddermatch",
            index=models.Index(fields=["ladder", "-match"], name="ladder_match_newest"),
        ),
        migrations.AddIndex(
            model_name="laddermatch",
            index=models.Index(fields=["ladder", "-applied_at"], name="ladder_match_rated"),
        ),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
    ]
