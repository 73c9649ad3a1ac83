/** The part of the MongoDB driver's connection that `connect.ts` patches. The driver publishes no types for it. */
declare module "mongodb/lib/cmap/connection.js" {
  export interface WritingConnection {
    readonly error: Error | null;
    readonly closed: boolean;
    once(event: "close", listener: () => void): void;
    off(event: "close", listener: () => void): void;
  }
  export const Connection: {
    readonly prototype: {
      writeCommand: (this: WritingConnection, command: unknown, options: unknown) => Promise<unknown>;
    };
  };
}
