# Starts the mock in the background each time the container starts, and waits until it answers: a process that has only begun may end
# with this command. animal-store-mock is a devDependency. No container was started here, but the commands are tried.
log=/tmp/animal-store-mock.log
nohup node_modules/.bin/animal-store-mock > "$log" 2>&1 &
echo "$!" > /tmp/animal-store-mock.pid
curl --silent --fail --output /dev/null --retry 30 --retry-delay 1 --retry-all-errors \
  "http://127.0.0.1:${ANIMAL_STORE_PORT:-4010}/health" || { cat "$log"; exit 1; }
