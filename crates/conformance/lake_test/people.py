"""People with homes of their own who use annals."""

import json
import os
import shutil
import subprocess
import time


class Failed(Exception):
    """A command that failed, with what it said."""


def copy_projects(projects, store):
    """Copies projects of another store. Folders of Windows become absolute here: only those can be a team's."""
    for project in projects:
        copy = store / "projects" / project.name
        shutil.copytree(project, copy, dirs_exist_ok=True)
        if not project.name.startswith("-"):
            for path in copy.rglob("*.jsonl"):
                path.write_bytes(path.read_bytes().replace(b'"cwd":"C:\\\\', b'"cwd":"/C/'))


class Person:
    """A home with a store, and the configuration of a lake."""

    def __init__(self, name, folder, annals, lake, storage_env, share=None, level="usage"):
        self.name, self.annals, self.lake = name, annals, lake
        self.home = folder / "people" / name
        self.store = self.home / "claude"
        (self.store / "projects").mkdir(parents=True)
        (self.home / "config" / "annals").mkdir(parents=True)
        self.env = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "ANNALS_HOME": str(self.home / "annals"),
            "CLAUDE_CONFIG_DIR": str(self.store), "XDG_CONFIG_HOME": str(self.home / "config"),
            "ANNALS_MANAGED_CONFIG": str(self.home / "none.toml"), "TZ": "UTC", "NO_COLOR": "1",
            **storage_env,
        }
        self.share, self.level, self.engine = share, level, None
        self.configure()
        self.run("lake", "init", lake, "--owner", name, "--project", "/**", "--level", level,
                 "--yes", *(["--everyone-may-read"] if lake.startswith("file:") else []))
        self.configure()

    def configure(self, engine=None):
        lines = ["[lake]", f'url = "{self.lake}"', f'owner = "{self.name}"', 'projects = ["/**"]',
                 f'level = "{self.level}"', f'program = "{self.annals.with_name("annals-lake")}"']
        if self.lake.startswith("file:"):
            lines.append("everyone_may_read = true")
        if engine:
            lines.append(f'engine = "{engine}"')
        if self.share:
            lines += ["", "[[lake.share]]", 'project = "/**"', 'level = "text"', f'with = "{self.share}"']
        path = self.home / "config" / "annals" / "config.toml"
        path.write_text("\n".join(lines) + "\n")

    def take(self, projects):
        """Copies projects of another store."""
        copy_projects(projects, self.store)

    def start(self, *arguments, **env):
        return subprocess.Popen(
            [str(self.annals), *arguments], env={**self.env, **env}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )

    def run(self, *arguments, accept=(0,), **env):
        child = self.start(*arguments, **env)
        out, err = child.communicate(timeout=900)
        if child.returncode not in accept:
            shown = " ".join(arguments)
            raise Failed(f"{self.name}: annals {shown}: {err.decode(errors='replace').strip()[:2000]}")
        return out.decode()

    def json(self, *arguments, **more):
        return json.loads(self.run(*arguments, "--json", **more))

    def cpu_of(self, *arguments, **env):
        """Runs a command; returns its CPU seconds, children included, and its answer."""
        before = os.times()
        begin = time.time()
        out = self.run(*arguments, **env)
        after = os.times()
        cpu = after.children_user - before.children_user + after.children_system - before.children_system
        return cpu, time.time() - begin, out
