import mongoose, { type Collection, type Model } from "mongoose";

/** A document as stored. Nothing is known of its members until they are parsed. */
export interface RawDocument {
  readonly _id: number;
  readonly [member: string]: unknown;
}

/** The collection behind a model, for readers that parse themselves and want no Mongoose documents. */
export function rawCollection(model: Pick<Model<unknown>, "collection">): Collection<RawDocument> {
  return mongoose.connection.collection<RawDocument>(model.collection.collectionName);
}
