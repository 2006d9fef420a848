// Runs after `npm ci`, which checks the engines of all packages against the Node that runs npm.
const [, ofNpm = ''] = /\bnode\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
const own = process.versions.node;

if (ofNpm !== '' && ofNpm !== own) {
  const text = `The EBADENGINE warnings are about Node ${ofNpm}, which only runs npm. The npm scripts and npx use Node ${own}.`;
  process.stdout.write(`${text} There is nothing to do.\n`);
}
