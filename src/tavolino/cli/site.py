"""`tavolino site`: the page without a server, as a folder for any web host."""

from pathlib import Path

import click


@click.command(
    short_help="Write the page as a folder that needs no server.", epilog="Example: tavolino site --out public"
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The folder to write. It may not hold anything but an older site of Tavolino, which is replaced.",
)
def site(out: Path) -> None:
    """Write a folder that any static web host can serve, under any path.

    Its visitors play all games against the computer or on one device, in their own browser, also offline; nothing is
    sent anywhere. The rules are built for the browser once, some 20 seconds per game, and kept with other compiled
    code.
    """
    from tavolino.browser.site import NoSite, write_site
    from tavolino.cli.common import err
    from tavolino.engine.phrases import counted
    from tavolino.engine.wasm.build import BuildFailed

    try:
        with err().status("Writing the page …") as status:
            files = write_site(out, status.update)
    except (NoSite, BuildFailed) as error:
        raise click.ClickException(str(error)) from None
    size = sum(file.stat().st_size for file in files) / 1e6
    click.echo(f"Wrote {counted(len(files), 'file')} ({size:.1f} MB) to {out}. Put the folder on any web host.")
    click.echo(f"To try it here: python -m http.server --directory {out} 8020, then http://localhost:8020")
