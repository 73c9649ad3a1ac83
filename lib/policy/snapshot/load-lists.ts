import type { ClientSession } from "mongoose";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import { permissionDocument, rpcSpecificationDocument } from "@/lib/policy/documents/documents";
import { damageOf, type Damage, type ReportDamage } from "@/lib/policy/snapshot/damage";
import type { SnapshotPermission, SnapshotRpcSpec } from "@/lib/policy/table/snapshot";
import { PermissionModel } from "@/models/permission";
import { RpcSpecificationModel } from "@/models/rpc-specification";

const nothing = () => undefined;

/** The permission list, read again as a whole if any permission has a later revision than the last reading. */
export class PermissionLoader {
  readonly #report: ReportDamage;
  #list: readonly SnapshotPermission[];

  constructor(report: ReportDamage, known: readonly SnapshotPermission[] = []) {
    this.#report = report;
    this.#list = known;
  }

  get list(): readonly SnapshotPermission[] {
    return this.#list;
  }

  async read(session: ClientSession, pace: () => Promise<void>, sinceRevision: number): Promise<() => void> {
    const collection = rawCollection(PermissionModel);
    const changed = await collection.findOne({ revision: { $gt: sinceRevision } }, { session, projection: { _id: 1 } });
    if (changed === null) return nothing;
    const list: SnapshotPermission[] = [];
    const damages: Damage[] = [];
    for await (const document of collection.find({}, { session, batchSize: 200 }).sort({ name: 1 })) {
      const parsed = permissionDocument.safeParse(document);
      if (parsed.success) list.push(parsed.data);
      else damages.push(damageOf(PermissionModel, document, parsed.error));
      await pace();
    }
    return () => {
      this.#list = list;
      for (const damage of damages) this.#report(damage);
    };
  }
}

export class RpcSpecificationLoader {
  readonly #report: ReportDamage;
  #id: unknown = null;
  #newest: SnapshotRpcSpec | null;

  constructor(report: ReportDamage, known: SnapshotRpcSpec | null = null) {
    this.#report = report;
    this.#newest = known;
  }

  get newest(): SnapshotRpcSpec | null {
    return this.#newest;
  }

  async read(session: ClientSession): Promise<() => void> {
    const collection = rawCollection(RpcSpecificationModel);
    const [head] = await collection
      .find({}, { session, projection: { _id: 1 } })
      .sort({ _id: -1 })
      .limit(1)
      .toArray();
    if (head === undefined || head._id === this.#id) return nothing;
    const document = await collection.findOne({ _id: head._id }, { session, projection: { enums: 0 } });
    const parsed = rpcSpecificationDocument.safeParse(document);
    return () => {
      this.#id = head._id;
      this.#newest = parsed.data ?? null;
      if (!parsed.success) this.#report(damageOf(RpcSpecificationModel, head, parsed.error));
    };
  }
}
