import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import ipaddr from "ipaddr.js";
import { parse, parseAllDocuments } from "yaml";
import { parseSettings } from "@/lib/platform/settings/parse";
import { secretVariables, variableNames } from "@/lib/platform/settings/variables";
import { version } from "@/package.json";
import { policyRouteOf } from "@/lib/vehicle-api/worker";
import { parseDockerfile } from "@/test/support/dockerfile";
import { findTool } from "@/test/support/tools";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const yaml = (file: string) => parse(read(file), { merge: true });
const secrets = new Set<string>(secretVariables);
/** What a stop takes at most: draining, what is under way, the log (rule N12). */
const stopSeconds = 5 + 8 + 1;

/** The values that somebody may give; secrets are long enough, and passwords fit into an address. */
const given: Record<string, string> = Object.fromEntries([
  ...[...secrets].map((name) => [name, "a1".repeat(24)]),
  ...["POLICY_DB_PASSWORD", "MONGO_ROOT_PASSWORD", "GRAFANA_PASSWORD"].map((name) => [name, "b2".repeat(8)]),
  ["VERSION", version],
  ["SHAID_PUBLIC_KEY", "a key"],
]);
const fill = (value: string) =>
  value.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_whole, name: string, kind: string, other: string) => {
    return given[name] ?? (kind === "-" ? other : "");
  });
const networksOf = (networks: readonly string[] | object): readonly string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);
const selectorsOf = ({ kind, spec = {} }: any): object[] => [
  ...(kind === "Service" ? [spec.selector] : "selector" in spec ? [spec.selector.matchLabels] : []),
  ...(spec.template?.spec.topologySpreadConstraints ?? []).map((one: any) => one.labelSelector.matchLabels),
];
const problemsOf = (environment: Record<string, string>) => {
  const parsed = parseSettings({ NODE_ENV: "production", ...environment }, { root, readable: () => true });
  return "problems" in parsed ? parsed.problems : [];
};

it("O2: the health check asks where the server listens, not always at 127.0.0.1", async () => {
  const server = createServer((_request, response) => response.end()).listen(0, "127.0.0.2");
  await once(server, "listening");
  const POLICY_SERVER_PORT = String((server.address() as AddressInfo).port);
  const check = (LISTEN_ADDRESS: string) =>
    promisify(execFile)(process.execPath, ["bin/healthy.mjs"], {
      cwd: root,
      env: { ...process.env, POLICY_SERVER_PORT, LISTEN_ADDRESS },
    });
  await check("127.0.0.2");
  await expect(check("")).rejects.toMatchObject({ code: 1 });
  server.close();
});

describe("deploy/compose.yaml", () => {
  const compose = yaml("deploy/compose.yaml");
  const services: [string, any][] = Object.entries(compose.services);
  const instances = services.filter(([name]) => name.startsWith("policy-"));

  it("O2: two instances whose settings the server takes, with secrets from outside", () => {
    expect(instances).toHaveLength(2);
    for (const [, { environment }] of instances) {
      expect(Object.keys(environment).filter((name) => !(variableNames as string[]).includes(name))).toEqual([]);
      const filled = Object.entries<string>(environment).map(([name, value]) => [name, fill(value)]);
      expect(problemsOf(Object.fromEntries(filled))).toEqual([]);
      for (const [name, value] of Object.entries<string>(environment)) {
        if (secrets.has(name)) expect([name, value]).toEqual([name, expect.stringMatching(/\$\{\w+:(\?|-\})/)]);
      }
    }
  });

  it("O2: instances write nothing but their data, have no rights, and get the time a stop takes", () => {
    for (const [, instance] of instances) {
      expect(instance).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
      expect(Number.parseInt(instance.stop_grace_period, 10)).toBeGreaterThan(stopSeconds);
      expect(instance.volumes).toEqual([expect.stringMatching(/^policy-\d:\/data$/)]);
    }
    expect(instances[0]?.[1].volumes).not.toEqual(instances[1]?.[1].volumes);
  });

  it("O2: three MongoDB nodes as the replica set that the server asks for, with authentication", () => {
    const nodes = services.filter(([, { command }]) => command?.[0] === "mongod");
    expect(nodes.map(([name]) => name)).toEqual(["mongo-1", "mongo-2", "mongo-3"]);
    for (const [, { command }] of nodes) expect(command.join(" ")).toContain("--replSet rs0 --keyFile /keys/mongo.key");
    const uri = new URL(fill(instances[0]?.[1].environment.MONGODB_URI).replace("mongo-1,mongo-2,", ""));
    expect([uri.searchParams.get("replicaSet"), uri.username]).toEqual(["rs0", "policy"]);
    expect(read("deploy/compose/make-set.js")).toContain('const names = ["mongo-1", "mongo-2", "mongo-3"]');
  });

  it("O2: the proxy keeps the header public_key, takes bodies of 1 MiB, and leads to both instances", () => {
    const proxy = read("deploy/compose/nginx.conf");
    expect(proxy).toContain("underscores_in_headers on;");
    expect(proxy).toContain("client_max_body_size 1m;");
    for (const [name] of instances) expect(proxy).toContain(`server ${name}:3000 `);
    const [network] = compose.networks.proxied.ipam.config;
    expect(instances[0]?.[1].environment.TRUST_PROXY_ADDRESSES).toBe(network.subnet);
    const members = services.filter(([, { networks }]) => networksOf(networks).includes("proxied"));
    expect(members.map(([name]) => name)).toEqual(["policy-1", "policy-2", "proxy"]);
  });

  it("O2: instances are replaced one after the other, once vehicles are answered, and the proxy finds them again", () => {
    const commands = [...read("docs/deployment.md").matchAll(/up --detach --no-deps --wait (\S+)/g)];
    expect(commands.map(([, name]) => name)).toEqual(instances.map(([name]) => name));
    for (const [, { healthcheck }] of instances)
      expect(healthcheck.test).toEqual(["CMD", "node", "bin/healthy.mjs", "/health/ready"]);
    // nginx resolves names at its start; addresses of other containers come from elsewhere in the network.
    const addresses = instances.map(([, { networks }]) => networks.proxied.ipv4_address);
    expect(new Set(addresses).size).toBe(2);
    const [{ subnet, ip_range: others }] = compose.networks.proxied.ipam.config;
    for (const address of addresses.map((text: string) => ipaddr.parse(text)))
      expect([address.match(ipaddr.parseCIDR(subnet)), address.match(ipaddr.parseCIDR(others))]).toEqual([true, false]);
  });

  it("O2, O3: Prometheus looks at both instances with the token and tells Alertmanager, Grafana looks at Prometheus", () => {
    const watching = services.filter(([, { profiles }]) => profiles?.includes("watch")).map(([name]) => name);
    expect(watching).toEqual(["prometheus", "alertmanager", "grafana"]);
    expect(read("deploy/compose.env.example")).toContain("\nCOMPOSE_PROFILES=watch\n");
    const [manager] = yaml("deploy/prometheus/prometheus.yml").alerting.alertmanagers[0].static_configs[0].targets;
    expect(manager).toBe("alertmanager:9093");
    const [{ webhook_configs: webhooks }] = yaml("deploy/prometheus/alertmanager.yml").receivers;
    expect(compose.services.alertmanager.secrets).toEqual([{ source: "alert-webhook", target: webhooks[0].url_file }]);
    const [job] = yaml("deploy/prometheus/prometheus.yml").scrape_configs;
    expect(job.static_configs[0].targets).toEqual(instances.map(([name]) => `${name}:3000`));
    const { secrets: mounted } = compose.services.prometheus;
    expect(mounted).toEqual([{ source: "metrics-token", target: job.authorization.credentials_file }]);
    const [source] = yaml("deploy/grafana/provisioning/datasources/prometheus.yaml").datasources;
    expect(new URL(source.url).hostname).toBe("prometheus");
  });

  it("O2: every file, volume, network and service that it names is there, and every variable in the example", () => {
    const example = read("deploy/compose.env.example");
    const asked = [...read("deploy/compose.yaml").matchAll(/\$\{(\w+)(:\?)?/g)];
    for (const [, variable] of asked) expect(example).toMatch(new RegExp(`^${variable}=`, "m"));
    // CI starts the set, so it fills whatever the set cannot do without.
    const filled = /for name in ([^;]+);/.exec(read(".github/workflows/ci.yml"))?.[1]?.split(/[\s\\]+/) ?? [];
    const isEmpty = (variable: string) => example.includes(`\n${variable}=\n`);
    const needed = asked.flatMap(([, variable = "", kind]) => (kind && isEmpty(variable) ? [variable] : []));
    expect(filled.toSorted()).toEqual([...new Set(needed)].toSorted());
    expect(example).toContain(`VERSION=${version}\n`);
    for (const [name, { volumes = [], networks, depends_on: needed = [] }] of services) {
      for (const source of volumes.map((volume: string) => volume.split(":")[0])) {
        const isThere = source.startsWith(".")
          ? existsSync(path.join(root, "deploy", source))
          : source in compose.volumes;
        expect([name, source, isThere]).toEqual([name, source, true]);
      }
      for (const network of networksOf(networks)) expect(compose.networks).toHaveProperty([network]);
      const others = Array.isArray(needed) ? needed : Object.keys(needed);
      for (const other of others) expect(compose.services).toHaveProperty([other]);
    }
  });
});

describe("deploy/kubernetes", () => {
  const folder = "deploy/kubernetes";
  const kustomization = yaml(`${folder}/kustomization.yaml`);
  const resources: any[] = kustomization.resources.flatMap((file: string) =>
    parseAllDocuments(read(`${folder}/${file}`)).map((document) => document.toJS()),
  );
  const find = (kind: string) => resources.find((one) => one.kind === kind);
  const pod = find("Deployment").spec.template.spec;
  const [container] = pod.containers;

  it("O2: holds what is asked for, each once, of this version", () => {
    const kinds = resources.map(({ kind }) => kind);
    expect(kinds).toEqual(["ConfigMap", "Deployment", "Service", "Ingress", "Ingress", "PodDisruptionBudget"]);
    expect(kustomization.images).toEqual([{ name: container.image, newTag: version }]);
  });

  it("O2: every selector selects the pods of the deployment, that of the disruption budget as well", () => {
    const { labels } = find("Deployment").spec.template.metadata;
    const selectors = resources.flatMap((resource) => selectorsOf(resource).map((found) => [resource.kind, found]));
    const kinds = selectors.map(([kind]) => kind).toSorted();
    expect(kinds).toEqual(["Deployment", "Deployment", "PodDisruptionBudget", "Service"]);
    for (const [kind, selector] of selectors) expect([kind, selector]).toEqual([kind, labels]);
    // One that is empty, or that kustomize would add later, selects everything or nothing.
    expect(Object.keys(labels)).not.toEqual([]);
    expect(kustomization).not.toHaveProperty("labels");
    expect(kustomization).not.toHaveProperty("commonLabels");
    for (const { metadata } of resources) expect(metadata.labels).toEqual(labels);
  });

  it("O2: one pod stays while others are moved or replaced, and a new one is waited for", () => {
    const { replicas, strategy } = find("Deployment").spec;
    expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(replicas).toBeGreaterThan(find("PodDisruptionBudget").spec.minAvailable);
  });

  it("O2, F4: requests of vehicles, and no others, are repeated at another pod", () => {
    const [console, vehicles] = resources.filter(({ kind }) => kind === "Ingress");
    const annotation = "nginx.ingress.kubernetes.io/proxy-next-upstream";
    const shipped = /location ~[^]*?proxy_next_upstream ([^;]+);/.exec(read("deploy/compose/nginx.conf"))?.[1];
    expect(vehicles.metadata.annotations[annotation]).toBe(shipped);
    expect(console.metadata.annotations).not.toHaveProperty([annotation]);
    const { host, http } = vehicles.spec.rules[0];
    const [all] = console.spec.rules;
    expect([host, vehicles.spec.tls]).toEqual([all.host, console.spec.tls]);
    const routes = http.paths.map(({ path: asked }: any) => asked);
    expect(routes.filter((url: string) => policyRouteOf({ url, headers: {} }) === null)).toEqual([]);
    expect(new Set(routes).size).toBe(4);
    for (const { backend } of http.paths) expect(backend).toEqual(all.http.paths[0].backend);
  });

  const validator = findTool("kubernetes-validate", "the manifests for Kubernetes");

  it.skipIf(validator === null).each(["1.25", "1.37"])("O2: Kubernetes %s takes the manifests", async (known) => {
    const files = kustomization.resources.map((file: string) => path.join(root, folder, file));
    const { stdout, stderr } = await promisify(execFile)(validator ?? "", ["-k", known, "--strict", ...files]);
    const passed = (stdout + stderr).matchAll(/passed for resource (\w+)\/.* against version (.*)/g);
    const kinds = resources.map(({ kind }) => [kind.toLowerCase(), known]);
    expect([...passed].map(([, kind, version]) => [kind, version])).toEqual(kinds);
  });

  it("O2: settings are known and taken; secrets come by reference alone", () => {
    const { data, metadata } = find("ConfigMap");
    expect(Object.keys(data).filter((name) => !(variableNames as string[]).includes(name))).toEqual([]);
    expect(Object.keys(data).filter((name) => secrets.has(name))).toEqual([]);
    const secret = {
      MONGODB_URI: "mongodb://a,b,c/policy?replicaSet=rs0",
      BASIC_AUTH_PASSWORD: "a password of 24 letters",
    };
    expect(problemsOf({ ...data, ...secret, SESSION_SECRET: given.SESSION_SECRET ?? "" })).toEqual([]);
    expect(container.envFrom).toEqual([
      { configMapRef: { name: metadata.name } },
      { secretRef: { name: "open-policy-server" } },
    ]);
    expect(container.env).toBeUndefined();
  });

  it("O2: probes, ports and names lead to each other", () => {
    const [port] = container.ports;
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(["/health", "/health", "/health/ready"]);
    for (const { httpGet } of probes) {
      expect(httpGet.port).toBe(port.name);
      expect(existsSync(path.join(root, "app", httpGet.path, "route.ts"))).toBe(true);
    }
    const [service] = find("Service").spec.ports;
    expect(service.targetPort).toBe(port.name);
    const { host, http } = find("Ingress").spec.rules[0];
    const { name, port: wanted } = http.paths[0].backend.service;
    expect([name, wanted.name]).toEqual([find("Service").metadata.name, service.name]);
    expect(find("ConfigMap").data.PUBLIC_BASE_URL).toBe(`https://${host}`);
    expect(find("Ingress").spec.tls[0].hosts).toEqual([host]);
  });

  it("O2: pods have no rights, write only to their volumes, and get the time a stop takes", () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const mounted = container.volumeMounts.map(({ mountPath }: any) => mountPath);
    const image = parseDockerfile(read("Dockerfile")).filter(({ name }) => name === "VOLUME");
    expect(mounted).toEqual([...image.map(({ rest }) => rest), "/tmp"]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(find("ConfigMap").data.DRAIN_SECONDS) + 9);
  });
});

describe("O9: what comes from elsewhere", () => {
  const workflow = yaml(".github/workflows/ci.yml");
  const files = [".github/workflows/ci.yml", "docs/examples/policy.yml", "deploy/compose.yaml", "Dockerfile"];
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/^\s*(?:- )?(?:uses|image|FROM):? ([^\s=]+)/gm)].map(([, name = ""]) => [file, name]),
  );

  it("every package has a checksum in the lock file, unless it is inside another one's archive", () => {
    const packages: [string, any][] = Object.entries(JSON.parse(read("package-lock.json")).packages).slice(1);
    const isOpen = ([, { integrity = "", inBundle, link }]: (typeof packages)[number]) =>
      !/^sha512-/.test(integrity) && !inBundle && !link;
    expect(packages.filter(isOpen).map(([folder]) => folder)).toEqual([]);
    expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  });

  it("actions are named by commits and images by digests, the same ones everywhere", () => {
    const others = named.filter(([, name]) => !name?.startsWith("open-policy-server:"));
    const isPinned = /^(?:[\w-]+\/[\w-]+@[0-9a-f]{40}|[\w/-]+:[\w.-]+@sha256:[0-9a-f]{64})$/;
    expect(others.filter(([, name = ""]) => !isPinned.test(name))).toEqual([]);
    const pins = new Set(others.map(([, name]) => name));
    expect(new Set([...pins].map((name) => name?.split("@")[0])).size).toBe(pins.size);
    expect(new Set(others.map(([file]) => file)).size).toBe(files.length);
    expect(read(".github/workflows/ci.yml")).not.toMatch(/(?:mongo|nginx|prometheus|grafana):v?\d[\w.]*(?![@\w.])/);
  });

  it("CI looks for known vulnerabilities with every change and every day", () => {
    const runs = workflow.jobs.vulnerabilities.steps.map(({ run = "" }: any) => run).join("\n");
    expect(runs).toMatch(/osv-scanner@v[\d.]+\n.*osv-scanner" scan source --lockfile package-lock\.json$/);
    expect(Object.keys(workflow.on)).toEqual(["push", "pull_request", "schedule"]);
    expect(workflow.jobs.vulnerabilities).not.toHaveProperty("if");
  });
});
