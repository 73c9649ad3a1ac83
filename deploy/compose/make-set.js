/** For mongosh: makes the three nodes a replica set, and a user for the server. Safe to repeat. */
const { MONGO_ROOT_PASSWORD, POLICY_DB_PASSWORD } = process.env;
const root = `mongodb://root:${MONGO_ROOT_PASSWORD}@mongo-1:27017`;
const names = ["mongo-1", "mongo-2", "mongo-3"];

/** Repeats what cannot succeed before the nodes are there. */
function patiently(attempt) {
  for (let left = 120; ; left--) {
    try {
      return attempt();
    } catch (error) {
      if (left === 0) throw error;
      sleep(1000);
    }
  }
}

const first = patiently(() => connect(`${root}/admin?directConnection=true`));
try {
  first.adminCommand({ replSetGetStatus: 1 });
} catch (error) {
  if (error.codeName !== "NotYetInitialized") throw error;
  const members = names.map((name, _id) => ({ _id, host: `${name}:27017` }));
  patiently(() => first.adminCommand({ replSetInitiate: { _id: "rs0", members } }));
}
const set = patiently(() =>
  connect(`mongodb://root:${MONGO_ROOT_PASSWORD}@${names.join()}/policy_server?replicaSet=rs0&authSource=admin`),
);
const user = { pwd: POLICY_DB_PASSWORD, roles: [{ role: "readWrite", db: "policy_server" }] };
patiently(() =>
  set.getUser("policy") === null ? set.createUser({ user: "policy", ...user }) : set.updateUser("policy", user),
);
