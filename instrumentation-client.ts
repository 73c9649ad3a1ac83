// Next calls it at the beginning of every step to another address. If a file that this one imports used `next/dynamic`, every
// page of `npm run dev` would answer 500: Next finds no client component that the import belongs to.
export { announceStep as onRouterTransitionStart } from "@/app/_components/shell/navigation/page-steps";
