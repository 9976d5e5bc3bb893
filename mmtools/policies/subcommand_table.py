"""Programs that run the command behind one of their subcommands, as data: `docker exec`, `uv run`, `ip netns exec`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from attrs import evolve

from mmtools.policies.runner_table import Runner, runner

__all__ = ["SUBCOMMANDS"]

_CONTAINER = (
    "-e -u -w -v -p -h -l -m -a -c --env --env-file --user --workdir --volume --mount --publish --name --hostname --network --net --label --memory --cpus --platform --add-host --cap-add "
    "--cap-drop --device --dns --gpus --ipc --pid --pull --restart --runtime --security-opt --shm-size --tmpfs --ulimit --userns --volumes-from --index --detach-keys --context -H --host "
    "--log-level --config -f --file --project-name --profile --project-directory"
)
_CONTAINER_FLAGS = (
    "-i -t -it -ti -d -T --interactive --tty --detach --rm --init --privileged --no-deps --read-only -dit -itd"
)

_KUBERNETES = "-n --namespace -c --container -f --filename --context --kubeconfig --cluster -s --server --user --as --token --image --overrides --restart -l --labels --env --port --pod-running-timeout"

_PYTHON = "-W -X --check-hash-based-pycs"
_PYTHON_FLAGS = "-b -B -d -E -i -I -O -OO -q -s -S -u -v -x -P"

_UV = "--with --with-editable --with-requirements --group --only-group --no-group --extra --no-extra -p --python --package --project --directory --env-file --index --index-url --default-index --cache-dir --config-file"
_UV_FLAGS = "--frozen --locked --no-sync --isolated --all-extras --all-groups --all-packages --dev --no-dev --exact --no-project --active --offline --no-config -q --quiet -v --verbose"


def _behind(programs: str, subcommands: str, form: Runner) -> Iterator[tuple[str, Runner]]:
    """
    Iterate over the programs and what each runs behind each of the subcommands.

    Args:
        subcommands: Separated by commas; the words of one by blanks.
    """
    for subcommand in subcommands.split(", "):
        behind = evolve(form, after=tuple(subcommand.split()))
        yield from ((program, behind) for program in programs.split())


_ROWS = (
    *_behind("docker podman nerdctl", "exec, run, container exec, container run, compose exec, compose run", runner(_CONTAINER, 1, "--entrypoint", flags=_CONTAINER_FLAGS, passes=True)),
    *_behind("docker-compose podman-compose", "exec, run", runner(_CONTAINER, 1, "--entrypoint", flags=_CONTAINER_FLAGS, passes=True)),
    *_behind("docker podman", "create, container create, debug", runner(_CONTAINER, 1, "--entrypoint -c --command")),
    *_behind("podman buildah", "unshare", runner()),
    *_behind("buildah", "run", runner("-v --volume --user --workingdir --env", 1)),
    *_behind("crictl runc crun", "exec, run", runner("--exec-id --cwd -e --env --user -u", 1)),
    *_behind("ctr", "task exec, tasks exec, t exec", runner("--exec-id --cwd -e --env --user -u -n --namespace -t", 1)),
    *_behind("ctr", "run", runner("--mount --env --cwd --user", 2)),
    *_behind("kubectl oc k3s kubecolor", "exec, run, debug, kubectl exec, kubectl run, kubectl debug", runner(_KUBERNETES, 1)),
    *_behind("oc", "rsh", runner(_KUBERNETES, 1)),
    *_behind("minikube", "kubectl", runner(_KUBERNETES, None)),
    *_behind("minikube colima orb vagrant", "ssh", runner("-n --node -p --profile", 0, "-c --command", joins=True)),
    *_behind("multipass", "exec", runner("-d --working-directory", 1)),
    *_behind("limactl", "shell", runner("--workdir --shell", 1)),
    *_behind("lxc incus", "exec", runner("--cwd --env --user --group --mode", 1)),
    *_behind("machinectl", "shell", runner("-M -H -E --uid --setenv", 1)),
    *_behind("adb", "shell, exec-out", runner("-s -H -P -t", joins=True)),
    *_behind("gcloud", "compute ssh", runner("--zone --project", 1, "--command")),
    *_behind("aws", "ecs execute-command", runner("--cluster --task --container", 0, "--command")),
    *_behind("fly flyctl", "ssh console", runner("-a --app", 0, "-C --command")),
    *_behind("heroku", "run, local:run, run:detached", runner("-a --app -s --size -e --env", joins=True)),
    *_behind("railway infisical teller dotenv", "run", runner("-e --env -f -c --command -p", 0, "-c --command")),
    *_behind("doppler", "run", runner("-p --project -c --config -t --token --mount", 0, "--command")),
    *_behind("op", "run", runner("--env-file --account --environment")),
    *_behind("aws-vault chamber berglas aws-okta saml2aws", "exec", runner("-d --duration -n --region -a", 1)),
    *_behind("sops", "exec-env, exec-file", runner("", 1, joins=True)),
    *_behind("direnv", "exec", runner("", 1, passes=True)),
    *_behind("asdf rbenv pyenv nodenv goenv jenv plenv phpenv luaenv", "exec", runner(passes=True)),
    *_behind("rvm", "do, exec", runner("", None)),
    *_behind("nvm", "exec, run", runner("", 1)),
    *_behind("fnm", "exec", runner("--using")),
    *_behind("volta", "run", runner("--node --npm --yarn --pnpm")),
    *_behind("mise rtx", "exec, x", runner("-C --cd -E --env", None)),
    *_behind("opam", "exec", runner("--switch --root")),
    *_behind("stack cabal esy spago", "exec, x", runner("--resolver --package --stack-yaml")),
    *_behind("rustup", "run", runner("", 1, passes=True)),
    *_behind("cargo", "watch, flamegraph, miri run", runner("-x -s -w -i -d --exec --shell --watch", None, "-s --shell")),
    *_behind("bazel bazelisk", "run", runner("--run_under --config", None, "--run_under")),
    *_behind("bazel bazelisk", "test", runner("--config --test_output", None, "--run_under")),
    *_behind("nix", "run, shell, develop, env shell", runner("-f --file --expr --override-input", None)),
    *_behind("guix", "shell, environment, time-machine", runner("-m -D -f -L", None)),
    *_behind("flox", "activate", runner("-d -r", 0, "-c --command")),
    *_behind("devbox devenv pixi", "run, shell", runner("-c -e --config", 0)),
    *_behind("conda mamba micromamba", "run", runner("-n -p --name --prefix --cwd", flags="--no-capture-output --live-stream", passes=True)),
    *_behind("uv", "run, tool run, x", runner(_UV, flags=_UV_FLAGS, passes=True)),
    *_behind("poetry pipenv pdm rye", "run", runner("-C --directory -P --project -p", passes=True)),
    *_behind("hatch", "run", runner("-e --env", passes=True)),
    *_behind("hatch", "env run", runner("-e --env")),
    *_behind("pipx", "run", runner("--spec --python --pip-args", passes=True)),
    *_behind("tox", "exec", runner("-e -c")),
    *_behind("python pypy", "-m", runner(_PYTHON, flags=_PYTHON_FLAGS, passes=True)),
    *_behind("coverage", "run -m", runner("--source --omit --include --rcfile")),
    *_behind("bundle", "exec", runner(flags="--keep-file-descriptors", passes=True)),
    *_behind("npm", "exec, x", runner("-p --package -c --call -w --workspace", 0, "-c --call")),
    *_behind("npm", "explore", runner("", 1, "--shell")),
    *_behind("pnpm", "exec, dlx", runner("--package -C --dir -F --filter", 0, passes=True)),
    *_behind("yarn", "exec, dlx", runner("-p --package --cwd", 0, passes=True)),
    *_behind("yarn", "workspaces foreach, workspaces run, workspace", runner("", None)),
    *_behind("bun", "x", runner(flags="--bun", passes=True)),
    *_behind("lerna", "exec", runner("--scope --ignore --concurrency")),
    *_behind("nx turbo", "exec", runner("-p --projects")),
    *_behind("foreman honcho overmind", "run", runner("-e --env -f -d")),
    *_behind("ip", "netns exec, vrf exec", runner("-n -netns -f -family", 1)),
    *_behind("ip", "-all netns exec", runner()),
    *_behind("flatpak", "run, enter", runner("--branch --arch --env", 1, "--command")),
    *_behind("snap", "run", runner("--shell", 0, "--shell")),
    *_behind("apptainer singularity", "exec, run, shell", runner("-B --bind --pwd --env -H --home", 1)),
    *_behind("toolbox", "run", runner("-c --container -d -r")),
    *_behind("distrobox", "enter, run", runner("-n --name", None)),
    *_behind("enroot", "start", runner("-m -e", 1)),
    *_behind("scl", "enable", runner("", None, joins=True)),
    *_behind("spack", "build-env, env run", runner("", 1)),
    *_behind("meson", "devenv", runner("-C -w")),
    *_behind("cmake", "-E env, -E time", runner("--unset")),
    *_behind("cmake", "-E chdir", runner("", 1)),
    *_behind("libtool", "--mode=execute", runner()),
    *_behind("launchctl", "submit, asuser", runner("-l -p -o -e", None)),
    *_behind("hyprctl", "dispatch exec", runner(joins=True)),
    *_behind("zellij", "run, action write-chars", runner("-n --name --cwd")),
    *_behind("ray", "job submit", runner("--address --working-dir")),
    *_behind("accelerate", "launch", runner("--config_file")),
    *_behind("flux", "run, submit, start", runner("-n -N")),
    *_behind("salt", "cmd.run, cmd.shell", runner("", None, joins=True)),
    *_behind("repo", "forall", runner("-j", None, "-c")),
    *_behind("gita", "shell, super", runner("", None)),
    *_behind("mr", "run", runner()),
    *_behind("git", "bisect run", runner("-c -C --config-env --git-dir --work-tree --namespace", passes=True)),
    *_behind("git", "submodule foreach", runner("-c -C --config-env --git-dir --work-tree --namespace", joins=True, flags="--recursive --quiet")),
)  # fmt: skip


def _grouped() -> Iterator[tuple[str, tuple[Runner, ...]]]:
    for program in {name for name, _ in _ROWS}:
        yield program, tuple(row for name, row in _ROWS if name == program)


#: By program: what each subcommand runs.
SUBCOMMANDS: Mapping[str, tuple[Runner, ...]] = MappingProxyType(dict(_grouped()))
