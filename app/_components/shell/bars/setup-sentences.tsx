import type { ReactNode } from "react";
import type { Setup } from "@/app/_components/shell/bars/setup-notices";
import { phonesAskByHttps } from "@/lib/vocabulary/phones";

/** Written by the server: no script carries these texts. */
export function SetupSentences({ isOpen, isEmbedded, isExampleDirectory, isPlainAddress }: Readonly<Setup>) {
  return (
    <ul className="space-y-0.5">
      {isOpen && (
        <li>
          No password protects this console: anyone who can reach this server can change what vehicles receive. Set{" "}
          <Name>AUTH_TYPE=basic</Name>.
        </li>
      )}
      {isEmbedded && (
        <li>
          Data is stored in the embedded database. Set <Name>MONGODB_URI</Name> to a replica set.
        </li>
      )}
      {isExampleDirectory && (
        <li>
          Apps are made up by the example directory. Set <Name>SHAID_PUBLIC_KEY</Name> and <Name>SHAID_SECRET_KEY</Name>{" "}
          to get real ones.
        </li>
      )}
      {isPlainAddress && (
        <li>
          Vehicles are given an address that begins with <Name>http://</Name>. {phonesAskByHttps}. Set{" "}
          <Name>PUBLIC_BASE_URL</Name> to an address that answers HTTPS.
        </li>
      )}
    </ul>
  );
}

const Name = ({ children }: Readonly<{ children: ReactNode }>) => <code className="font-mono text-xs">{children}</code>;
