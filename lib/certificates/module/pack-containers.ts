import {
  containerKey,
  type Containers,
  type ModuleContainers,
  type PackCertificate,
} from "@/lib/certificates/module/module-containers";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";

/**
 * Packs the containers that are not known yet, on another thread; one that cannot be packed is tried again when it is
 * asked for again (rule M10).
 *
 * @param containers what is known already; new ones are added
 * @param publish told of all that are known after each packing
 * @param pack replaces the certificate worker in tests
 */
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
    // Another one may have become known meanwhile; then that one is served everywhere.
    return containers.get(key) ?? packed;
  };
}
