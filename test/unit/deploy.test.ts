import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
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
import { temporaryFolder } from "@/test/support/temporary-folder";
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
  ...("podSelector" in spec ? [spec.podSelector.matchLabels] : []),
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

const helm = findTool("helm", "the chart for Kubernetes");

describe.skipIf(helm === null)("deploy/helm/open-policy-server", () => {
  const chart = path.join(root, "deploy/helm/open-policy-server");
  const run = (command: string, values: object, ...words: string[]) => {
    const running = promisify(execFile)(helm ?? "", [command, ...words, "--values", "-"], { cwd: chart });
    running.child.stdin?.end(JSON.stringify(values));
    return running;
  };
  /** As a release named `policy`. */
  const render = async (values: object = {}) => {
    const { stdout } = await run("template", values, "policy", ".", "--kube-version", "1.37.0");
    return { text: stdout, resources: parseAllDocuments(stdout).map((document): any => document.toJS()) };
  };
  const everything = yaml("test/fixtures/chart-values.yaml");
  const ways: [string, object][] = [
    ["default values", {}],
    ["everything", everything],
  ];
  const find = (resources: any[], kind: string) => resources.find((one) => one.kind === kind);
  const podOf = (resources: any[]) => find(resources, "Deployment").spec.template.spec;
  /** Without those of the Prometheus operator, whose schemas are not part of Kubernetes. */
  const ofKubernetes = (resources: any[]) => resources.filter(({ apiVersion }) => !/coreos/.test(apiVersion));

  it("O2: holds what is asked for, of this version, and Helm finds nothing wrong", async () => {
    const { version: chartVersion, appVersion } = yaml("deploy/helm/open-policy-server/Chart.yaml");
    expect([chartVersion, appVersion]).toEqual([version, version]);
    const { stdout } = await run("lint", everything, "--strict", ".");
    expect(stdout).toContain("1 chart(s) linted, 0 chart(s) failed");
    const kindsOf = async (values: object) => (await render(values)).resources.map(({ kind }) => kind).toSorted();
    const always = ["ConfigMap", "Deployment", "Ingress", "Ingress", "NetworkPolicy", "PodDisruptionBudget"];
    expect(await kindsOf({})).toEqual([...always, "Service", "ServiceAccount"]);
    const others = ["HorizontalPodAutoscaler", "PrometheusRule", "ServiceMonitor", "Service", "ServiceAccount"];
    expect(await kindsOf(everything)).toEqual([...always, ...others].toSorted());
    const off = { ingress: { enabled: false }, networkPolicy: { enabled: false } };
    expect(await kindsOf(off)).toEqual(["ConfigMap", "Deployment", "PodDisruptionBudget", "Service", "ServiceAccount"]);
  });

  const validator = findTool("kubernetes-validate", "the manifests for Kubernetes");

  it.skipIf(validator === null).each(ways)("O2: Kubernetes 1.25 and 1.37 take it with %s", async (_way, values) => {
    const { text, resources } = await render(values);
    const file = path.join(temporaryFolder(), "manifests.yaml");
    writeFileSync(file, text);
    for (const known of ["1.25", "1.37"]) {
      const { stdout, stderr } = await promisify(execFile)(validator ?? "", ["-k", known, "--strict", file]);
      const passed = (stdout + stderr).matchAll(/passed for resource (\w+)\/.* against version (.*)/g);
      const kinds = ofKubernetes(resources).map(({ kind }) => [kind.toLowerCase(), known]);
      expect([...passed].map(([, kind, version]) => [kind, version])).toEqual(kinds);
    }
  });

  it.each(ways)("O2: with %s, every selector selects the pods of the deployment", async (_way, values) => {
    const { resources } = await render(values);
    const { labels } = find(resources, "Deployment").spec.template.metadata;
    const selectors = resources.flatMap((resource) => selectorsOf(resource).map((found) => [resource.kind, found]));
    const kinds = selectors.map(([kind]) => kind).toSorted();
    const monitor = values === everything ? ["ServiceMonitor"] : [];
    const asked = ["Deployment", "Deployment", "NetworkPolicy", "PodDisruptionBudget", "Service", ...monitor];
    expect(kinds).toEqual(asked);
    // One that is empty selects everything.
    expect(Object.keys(labels)).toHaveLength(2);
    for (const [kind, selector] of selectors) expect([kind, selector]).toEqual([kind, labels]);
    for (const { metadata } of resources) expect(metadata.labels).toMatchObject(labels);
  });

  it("O2: one pod stays while others are moved or replaced, a new one is waited for, and settings replace pods", async () => {
    const { resources } = await render();
    const { replicas, strategy, template } = find(resources, "Deployment").spec;
    expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(replicas).toBeGreaterThan(find(resources, "PodDisruptionBudget").spec.maxUnavailable);
    const { resources: changed } = await render({ settings: { LOG_LEVEL: "debug" } });
    expect(find(changed, "Deployment").spec.template.metadata).not.toEqual(template.metadata);
    const { resources: scaled } = await render(everything);
    expect(find(scaled, "Deployment").spec).not.toHaveProperty("replicas");
    expect(find(scaled, "HorizontalPodAutoscaler").spec.minReplicas).toBe(2);
  });

  it("O2, F4: requests of vehicles, and no others, are repeated at another pod", async () => {
    const { resources } = await render();
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

  it.each(ways)("O2: with %s, settings are known and taken; secrets come by reference alone", async (_way, values) => {
    const { resources } = await render(values);
    const { data, metadata } = find(resources, "ConfigMap");
    const known: string[] = [...variableNames, "NODE_EXTRA_CA_CERTS"];
    expect(Object.keys(data).filter((name) => !known.includes(name) || secrets.has(name))).toEqual([]);
    const secret = {
      MONGODB_URI: "mongodb://a,b,c/policy?replicaSet=rs0",
      BASIC_AUTH_PASSWORD: "a password of 24 letters",
      ...{ CERTIFICATE_PASSPHRASE: "a passphrase", CERTIFICATE_COMMON_NAME: "policy.example.com" },
    };
    expect(problemsOf({ ...data, ...secret, SESSION_SECRET: given.SESSION_SECRET ?? "" })).toEqual([]);
    const [container] = podOf(resources).containers;
    expect(container.envFrom).toEqual([
      { configMapRef: { name: metadata.name } },
      { secretRef: { name: "policy", optional: true } },
    ]);
    const from = (name: string, key: string) => ({ valueFrom: { secretKeyRef: { name, key } } });
    const isElsewhere = values === everything;
    expect(container.env).toEqual([
      { name: "AUDIT_KEY", ...from("policy", "AUDIT_KEY") },
      ...(isElsewhere ? [{ name: "METRICS_TOKEN", ...from("metrics", "METRICS_TOKEN") }] : []),
      { name: "MONGODB_URI", ...(isElsewhere ? from("mongodb", "address") : from("policy", "MONGODB_URI")) },
      { name: "SESSION_SECRET", ...from("policy", "SESSION_SECRET") },
    ]);
  });

  it("O2: a secret among the settings, a number where text is asked for, and an unknown value are refused", async () => {
    for (const name of secrets)
      await expect(render({ settings: { [name]: "x" } })).rejects.toThrow(`invalid propertyName '${name}'`);
    await expect(render({ settings: { VEHICLE_WORKERS: 2 } })).rejects.toThrow("/settings/VEHICLE_WORKERS");
    await expect(render({ ingress: { classname: "nginx" } })).rejects.toThrow("'classname' not allowed");
  });

  it("O2: probes, ports, files and names lead to each other", async () => {
    const { resources } = await render(everything);
    const [container] = podOf(resources).containers;
    const [port, tlsPort] = container.ports;
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(["/health", "/health", "/health/ready"]);
    for (const { httpGet } of probes) {
      expect(httpGet.port).toBe(port.name);
      expect(existsSync(path.join(root, "app", httpGet.path, "route.ts"))).toBe(true);
    }
    const { data } = find(resources, "ConfigMap");
    expect(String(tlsPort.containerPort)).toBe(data.POLICY_SERVER_PORT_SSL);
    const [service, tlsService] = find(resources, "Service").spec.ports;
    expect([service.targetPort, tlsService.targetPort]).toEqual([port.name, tlsPort.name]);
    expect(find(resources, "ServiceMonitor").spec.endpoints[0].port).toBe(service.name);
    const { host, http } = find(resources, "Ingress").spec.rules[0];
    const { name, port: wanted } = http.paths[0].backend.service;
    expect([name, wanted.name]).toEqual([find(resources, "Service").metadata.name, tlsService.name]);
    expect(data.PUBLIC_BASE_URL).toBe(`https://${host}`);
    expect(find(resources, "Ingress").spec.tls[0].hosts).toEqual([host]);
    // The folders that the server reads in the image.
    const { rest: folder } = parseDockerfile(read("Dockerfile")).findLast(({ name }) => name === "WORKDIR") ?? {};
    const mounts = Object.fromEntries(container.volumeMounts.map(({ name, mountPath }: any) => [name, mountPath]));
    expect(mounts).toMatchObject({ authority: `${folder}/customizable/ca`, tls: `${folder}/customizable/ssl` });
    expect(data.NODE_EXTRA_CA_CERTS).toBe(`${mounts.trusted}/ca.crt`);
    expect(Object.keys(mounts)).toEqual(podOf(resources).volumes.map(({ name }: any) => name));
  });

  it("O3: the Prometheus operator gets the alerts of deploy/prometheus, and the job that they expect", async () => {
    const { resources } = await render(everything);
    expect(find(resources, "PrometheusRule").spec).toEqual(yaml("deploy/prometheus/alerts.yml"));
    const { jobLabel, endpoints } = find(resources, "ServiceMonitor").spec;
    const [job] = yaml("deploy/prometheus/prometheus.yml").scrape_configs;
    expect(find(resources, "Service").metadata.labels[jobLabel]).toBe(job.job_name);
    expect(endpoints[0].path).toBe(job.metrics_path);
    expect(endpoints[0].authorization.credentials).toEqual({ name: "metrics", key: "METRICS_TOKEN" });
  });

  it("O2: pods have no rights, write only to their volumes, and get the time a stop takes", async () => {
    const { resources } = await render({ settings: { DRAIN_SECONDS: "60" } });
    const pod = podOf(resources);
    const [container] = pod.containers;
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect([pod.automountServiceAccountToken, pod.serviceAccountName]).toEqual([false, "policy"]);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const mounted = container.volumeMounts.map(({ mountPath }: any) => mountPath);
    const image = parseDockerfile(read("Dockerfile")).filter(({ name }) => name === "VOLUME");
    expect(mounted).toEqual([...image.map(({ rest }) => rest), "/tmp"]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(60 + 9);
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
