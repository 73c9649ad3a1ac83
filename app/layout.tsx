import type { Metadata } from "next";
import type { ReactNode } from "react";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Policy Server", template: "Policy Server - %s" },
  description: "Answers SmartDeviceLink head units with policy tables",
  robots: { index: false, follow: false },
};

// The nonce of the Content-Security-Policy is new for every answer: a page made at build time would have none.
export const dynamic = "force-dynamic";

export default function RootLayout({ children }: Readonly<{ children: ReactNode }>) {
  return (
    <html lang="en">
      <body className="font-sans antialiased">{children}</body>
    </html>
  );
}
