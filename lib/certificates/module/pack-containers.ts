import {
  containerKey,
  type Containers,
  type ModuleContainers,
  type PackCertificate,
} from "@/lib/certificates/module/module-containers";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";

/** On another thread. A failure is retried on the next request. `publish` receives all known containers each time. */
export function packOnce(
  containers: ModuleContainers,
  publish: (containers: Containers) => void = () => undefined,
  pack: PackCertificate = (pair) => certificateWorker().run("container", pair),
): PackCertificate {
  return async (pair) => {
    const key = containerKey(pair);
    const known = containers.get(key);
    if (known) return known;
    const packed = await pack(pair).catch((error: unknown) => {
      containers.add(key, null);
      publish(containers.toRecord());
      throw error;
    });
    containers.add(key, packed);
    publish(containers.toRecord());
    // Another process may have sent one in the meantime, which is then served everywhere.
    return containers.get(key) ?? packed;
  };
}
