import { cva, type VariantProps } from "class-variance-authority";

export const buttonClass = cva(
  [
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border font-medium whitespace-nowrap no-underline",
    "transition-colors duration-100 select-none hover:no-underline [&_svg]:size-4 [&_svg]:shrink-0",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55",
    "print:hidden",
  ],
  {
    variants: {
      variant: {
        primary: "border-transparent bg-accent text-on-accent hover:bg-accent-hover",
        secondary: "border-edge bg-surface text-text hover:bg-hover active:bg-active",
        ghost: "border-transparent bg-transparent text-text hover:bg-hover active:bg-active",
        danger: "border-transparent bg-danger text-on-accent hover:bg-danger-hover",
      },
      size: {
        sm: "h-7 px-2 text-table pointer-coarse:h-11",
        md: "h-8 px-3 text-sm pointer-coarse:h-11",
        lg: "h-10 px-4 text-sm pointer-coarse:h-11",
        icon: "size-8 p-0 pointer-coarse:size-11",
        "icon-sm": "size-7 p-0 pointer-coarse:size-11",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonStyle = VariantProps<typeof buttonClass>;
