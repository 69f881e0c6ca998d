"""Forms of the pages. They check shape only; what is allowed, the services decide."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from arena.ladders.selectors import ladder_list
from bots_sdk.durak import RuleSet

if TYPE_CHECKING:
    from datetime import datetime

    from arena.accounts.models import User
    from arena.errors import ArenaError

ANY = ("", "any")


def refuse(form: forms.Form, error: ArenaError) -> None:
    """Show a service's refusal at the field it names, else above the form."""
    form.add_error(error.field if error.field in form.fields else None, error.message)


class ArchiveField(forms.FileField):
    """The archive of a bot, at most as large as the arena takes."""

    def __init__(self, **kwargs: Any) -> None:
        largest = filesizeformat(settings.UPLOAD_MAX_BYTES)
        kwargs.setdefault("label", "Archive")
        kwargs.setdefault(
            "help_text",
            f"A .zip or .tar.gz of at most {largest} with <code>durak.toml</code> at its top or in its one folder.",
        )
        super().__init__(widget=forms.FileInput(attrs={"accept": ".zip,.tar.gz,.tgz"}), **kwargs)

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Refuse what is too large before it is read."""
        archive = super().clean(data, initial)
        if archive and archive.size > settings.UPLOAD_MAX_BYTES:
            raise forms.ValidationError(
                f"The archive has {filesizeformat(archive.size)}; at most {filesizeformat(settings.UPLOAD_MAX_BYTES)} "
                "are taken. Leave out what the bot does not need to run, such as build output and data.",
            )
        return archive


class UploadForm(forms.Form):
    """One more version."""

    archive = ArchiveField()


class BotForm(forms.Form):
    """A new bot."""

    slug = forms.SlugField(
        label="Name",
        max_length=40,
        help_text="Small letters, digits and dashes; everyone sees it, and it cannot be changed.",
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}),
    )
    description = forms.CharField(
        max_length=200,
        required=False,
        help_text="One line on how it plays, for everyone to read.",
    )
    archive = ArchiveField(required=False, label="First version")


class BotEditForm(forms.Form):
    """What may be changed of a bot."""

    description = forms.CharField(max_length=200, required=False)
    is_retired = forms.BooleanField(
        required=False,
        label="Retired",
        help_text="A retired bot keeps its results and gets no new matches.",
    )


class CancelForm(forms.Form):
    """Why a match is called off."""

    reason = forms.CharField(max_length=200, help_text="Everybody reads it on the match's page, after your name.")


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(max_length=60, help_text="To tell it apart later, for example “laptop”.")
    days = forms.TypedChoiceField(
        required=False,
        label="Expires",
        coerce=int,
        empty_value=None,
        choices=[("", "never"), *((days, f"in {days} days") for days in (7, 30, 90, 365))],
    )

    def expires_at(self) -> datetime | None:
        """When the token is to expire; None if never."""
        days = self.cleaned_data["days"]
        return timezone.now() + timedelta(days=days) if days else None


class MatchFilterForm(forms.Form):
    """What to show of the matches. Anything it does not know is ignored."""

    kind = forms.ChoiceField(
        required=False, choices=[ANY, ("ladder", "ladder"), ("challenge", "challenge"), ("validation", "validation")]
    )
    state = forms.ChoiceField(
        required=False,
        choices=[ANY, *((s, s) for s in ("queued", "running", "finished", "abandoned", "cancelled"))],
    )
    preset = forms.ChoiceField(required=False, label="Rules")
    ladder = forms.ChoiceField(required=False)
    bot = forms.CharField(required=False, max_length=40)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["preset"].choices = [ANY, *((name, name) for name in RuleSet.presets())]
        self.fields["ladder"].choices = [ANY, *((ladder.slug, ladder.name) for ladder in ladder_list())]


class ChallengeForm(forms.Form):
    """An unrated match of one's own bot against others."""

    own = forms.ChoiceField(label="Your bot")
    preset = forms.ChoiceField(label="Rules")
    opponents = forms.CharField(
        max_length=250,
        help_text="Names of one to five bots, with commas between; the same bot may sit twice.",
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "list": "bot-names"}),
    )
    sets = forms.IntegerField(
        label="Duplicate sets",
        min_value=1,
        max_value=50,
        initial=1,
        help_text="Each set is one deck, played once in every rotation of the seats.",
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        slugs = list(user.bots.order_by("slug").values_list("slug", flat=True))
        self.fields["own"].choices = [(slug, slug) for slug in slugs]
        self.fields["preset"].choices = [(name, name) for name in RuleSet.presets()]

    def clean_opponents(self) -> list[str]:
        """The names, in the order of the seats."""
        names = [name.strip().lower() for name in self.cleaned_data["opponents"].replace(";", ",").split(",")]
        names = [name for name in names if name]
        if not 1 <= len(names) <= 5:
            raise forms.ValidationError(f"You named {len(names)} bots; a table has room for one to five beside yours.")
        return names
