# Keeps one PostgreSQL server for the process at the other end of standard input: does what its lines
# say and answers each with one line, `ok ...` or `failed REASON`. Input ends with that process,
# however it ends; the server is then stopped and all that it wrote is removed.
#
#   sh -c "$(cat keeper.sh)" keeper FIND_POSTGRES TEST_FOLDER    the texts of scripts/find-postgres and
#                                                                scripts/test-folder
#
# Lines: create, copy FOLDER of a keeper whose server does not run, start, stop fast, stop immediate
set -u
# Whatever ends the other process must not end this one before it has tidied up.
trap '' HUP INT TERM PIPE

if ! programs=$(sh -c "$1" find-postgres 2>&1); then
  echo "failed $programs"
  exit 1
fi
# Not in TMPDIR: the path of a socket may have about 100 characters.
if ! folder=$(mktemp -d "$(TMPDIR=/tmp sh -c "$2" test-folder)/vigil-postgres-XXXXXX" 2>&1); then
  echo "failed $folder"
  exit 1
fi
echo "ok $folder"
data=$folder/data
log=$folder/log

create() {
  "$programs/initdb" --pgdata "$data" --username postgres --auth trust --encoding UTF8 \
    --locale C.UTF-8 --no-sync || return
  # Nothing here has to survive the machine, only the server.
  cat >>"$data/postgresql.conf" <<SETTINGS || return
listen_addresses = ''
max_connections = 400
shared_buffers = 64MB
max_wal_size = 256MB
fsync = off
full_page_writes = off
# A transaction that asks for more than local commit waits for a standby that never comes.
synchronous_commit = local
synchronous_standby_names = 'absent'
autovacuum = off
jit = off
lc_messages = 'C'
SETTINGS
  # Vigil's rows have their own rules for those who are not superusers, which tests must not evade.
  "$programs/postgres" --single -D "$data" postgres <<STATEMENTS
CREATE ROLE vigil LOGIN CREATEROLE
CREATE DATABASE vigil OWNER vigil
STATEMENTS
}

while read -r command argument; do
  case $command in
    create) create ;;
    copy) cp -a "$argument/data" "$data" ;;
    start)
      "$programs/pg_ctl" start --pgdata "$data" --options "-k '$folder'" --log "$log" --wait --timeout 60
      ;;
    stop) "$programs/pg_ctl" stop --pgdata "$data" --mode "$argument" --wait --timeout 60 ;;
    *) false ;;
  esac </dev/null >>"$log" 2>&1 && echo ok || echo "failed $command: $(tail -n 1 "$log")"
done

"$programs/pg_ctl" stop --pgdata "$data" --mode immediate --wait >/dev/null 2>&1
rm -rf "$folder"
