import { bindPort, type BoundSocket } from "@/lib/platform/listen/bind";
import { readTlsPair, type TlsPair, watchTlsFiles } from "@/lib/platform/listen/tls-files";
import type { ToChild } from "@/lib/platform/process/messages";
import type { Settings } from "@/lib/platform/settings";

interface Listener {
  tell(message: ToChild, socket?: BoundSocket): void;
}

export type PortSettings = Pick<Settings, "listenAddress" | "policyServerPort" | "tls">;

export type PortControl = Pick<HeldPorts, "onPair" | "tellAll" | "tellPair" | "close">;

/** The server's ports. `main` holds but never accepts (`processes.md` N1), so connections wait in the queue. */
export class HeldPorts {
  readonly #sockets: readonly { readonly kind: "port" | "securePort"; readonly socket: BoundSocket }[];
  #pair: TlsPair | null;
  #noteChange: () => void = () => undefined;
  readonly #endWatch: () => void;

  static async open(settings: PortSettings, checkEveryMs?: number): Promise<HeldPorts> {
    return new HeldPorts(settings, settings.tls && (await readTlsPair(settings.tls)), checkEveryMs);
  }

  private constructor(
    { listenAddress: address, policyServerPort: port, tls }: PortSettings,
    pair: TlsPair | null,
    checkEveryMs?: number,
  ) {
    this.#pair = pair;
    const plain = { kind: "port", socket: bindPort({ address, port }) } as const;
    const secure = tls && ({ kind: "securePort", socket: bindPort({ address, port: tls.port }) } as const);
    this.#sockets = secure ? [plain, secure] : [plain];
    const take = (renewed: TlsPair) => {
      this.#pair = renewed;
      this.#noteChange();
    };
    this.#endWatch = tls === null ? () => undefined : watchTlsFiles(tls, take, checkEveryMs);
  }

  onPair(listener: () => void): void {
    this.#noteChange = listener;
  }

  tellAll(listener: Listener): void {
    for (const { kind, socket } of this.#sockets) listener.tell({ kind }, socket);
    this.tellPair(listener);
  }

  tellPair(listener: Listener): void {
    if (this.#pair !== null) listener.tell({ kind: "tls", pair: this.#pair });
  }

  close(): void {
    this.#endWatch();
    for (const { socket } of this.#sockets) socket.close();
  }
}
