import mongoose from "mongoose";
import { saveFirstData } from "@/lib/seed/first-data";

/** The first data of a server, with its example apps. */
export const firstData = () =>
  saveFirstData({ root: process.cwd(), publicBaseUrl: "http://localhost:3000", withExampleApps: true });

/** All that the connected database holds, with its types, but for what tells it from others. */
export async function content(): Promise<Record<string, unknown>> {
  const names = (await mongoose.connection.listCollections()).map(({ name }) => name).toSorted();
  const all: Record<string, unknown> = {};
  for (const name of names) {
    if (["locks", "database_facts"].includes(name)) continue;
    const documents = mongoose.connection.collection(name).find({}, { raw: true }).sort({ _id: 1 });
    all[name] = (await documents.toArray()).map((bytes) => Buffer.from(bytes as unknown as Uint8Array).toString("hex"));
  }
  return all;
}
