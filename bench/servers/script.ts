// The work that is measured, as a message asks for it.

/** `working; artifact <name> <text>` or `chunks <count>`. */
export const script = /^(?:working; artifact (\S+) ([^;]+)|chunks (\d+))$/
