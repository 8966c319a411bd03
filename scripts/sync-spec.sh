#!/usr/bin/env bash
# Fetches the AHP data (JSON schemas and test cases) of a pinned or newer upstream release into
# spec/upstream/<version>, which git ignores. Changes nothing else.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/sync-spec.sh [--ref REF] [--check]

Copies schema and test cases of the Agent Host Protocol into spec/upstream/<version>.

  --ref REF   a version of spec/pin.json (default: its core version), or a tag of
              upstream that ends in a version, such as spec/v1.1.0
  --check     fetch nothing; compare the copies that are present with spec/pin.json
  --help      this text

Exit status: 0 done or everything agrees, 1 failed or something differs, 2 wrong usage.
TEXT
}

fail() {
  echo "sync-spec: $1" >&2
  exit "${2:-1}"
}

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ref=
check=no

while [ $# -gt 0 ]; do
  case $1 in
    --ref) [ $# -ge 2 ] || fail '--ref needs a value; see --help' 2; ref=$2; shift 2 ;;
    --check) check=yes; shift ;;
    --help | -h) usage; exit 0 ;;
    *) fail "unknown argument $1; see --help" 2 ;;
  esac
done

if [ "$check" = yes ]; then
  exec node "$project/scripts/check-pin.mjs"
fi

pinned() {
  node -e '
    const pin = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    const [key, version] = process.argv.slice(2);
    process.stdout.write(key === "commit" ? (pin.data[version]?.commit ?? "") : pin[key]);
  ' "$project/spec/pin.json" "$@"
}

command -v git >/dev/null || fail 'git is needed to fetch the data'
repository=$(pinned repository)
[ -n "$ref" ] || ref=$(pinned core)

[[ $ref =~ ([0-9]+\.[0-9]+\.[0-9]+)$ ]] || fail "$ref does not end in a version such as 1.0.0" 2
version=${BASH_REMATCH[1]}
# A pinned version is fetched by its commit: a tag could have moved.
wanted=$(pinned commit "$version")
[ -n "$wanted" ] || wanted=$ref

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git -c init.defaultBranch=main init --quiet "$work/upstream"
git -C "$work/upstream" fetch --quiet --depth 1 "$repository" "$wanted" ||
  fail "cannot fetch $wanted from $repository; is there a network, and is that name right?"
git -C "$work/upstream" checkout --quiet FETCH_HEAD
commit=$(git -C "$work/upstream" rev-parse HEAD)

copy=$work/copy
mkdir -p "$copy/schema" "$copy/test-cases"
cp "$work/upstream"/schema/*.schema.json "$copy/schema/" || fail 'upstream has no schema/*.schema.json at that commit'
for part in reducers round-trips; do
  cp -R "$work/upstream/types/test-cases/$part" "$copy/test-cases/" ||
    fail "upstream has no types/test-cases/$part at that commit"
done
node "$project/scripts/check-pin.mjs" --record "$copy" "$commit"

target=$project/spec/upstream/$version
mkdir -p "$project/spec/upstream"
rm -rf "$target"
mv "$copy" "$target"
echo "spec/upstream/$version is commit $commit"
node "$project/scripts/check-pin.mjs"
