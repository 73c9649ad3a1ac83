import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";

const text = { type: String, default: undefined } as const;
const number = { type: Number, default: undefined } as const;
const yesNo = { type: Boolean, default: undefined } as const;
const part = { _id: false, id: false, strict: "throw" } as const;
const history = { since: text, until: text, deprecated: yesNo, removed: yesNo } as const;

const element = new Schema(
  {
    name: { type: String, required: true },
    ...history,
    rootscreen: yesNo,
    value: number,
    hexvalue: text,
    internalName: text,
  },
  part,
);
/** Limits keep the spelling of the specification, which is also that of a policy table. */
const param = new Schema(
  {
    name: { type: String, required: true },
    type: { type: String, required: true },
    ...history,
    mandatory: yesNo,
    minlength: number,
    maxlength: number,
    minsize: number,
    maxsize: number,
    minvalue: number,
    maxvalue: number,
    array: yesNo,
    platform: text,
    defvalue: text,
  },
  part,
);
const enumeration = new Schema(
  {
    name: { type: String, required: true },
    ...history,
    internalScope: text,
    platform: text,
    elements: [element],
  },
  part,
);
const struct = new Schema({ name: { type: String, required: true }, ...history, params: [param] }, part);
const rpcFunction = new Schema(
  {
    name: { type: String, required: true },
    /** `request`, `response` or `notification`. */
    messageType: { type: String, required: true },
    functionId: text,
    ...history,
    params: [param],
  },
  part,
);
/** One document per stored version of the RPC specification; lists are in document order. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    version: { type: String, required: true },
    minVersion: { type: String, default: null },
    date: { type: String, default: null },
    storedAt: { type: Date, required: true },
    enums: [enumeration],
    structs: [struct],
    functions: [rpcFunction],
  },
  { collection: "rpc_specifications", strict: "throw" },
);
schema.index({ version: 1 }, { unique: true });

export type RpcSpecificationRecord = InferSchemaType<typeof schema>;
export const RpcSpecificationModel: Model<RpcSpecificationRecord> =
  mongoose.models.RpcSpecification ?? mongoose.model<RpcSpecificationRecord>("RpcSpecification", schema);
