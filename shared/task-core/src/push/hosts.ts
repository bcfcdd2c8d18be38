// Which hosts push notifications may go to: public addresses, and what the operator allows besides (§13.2).
import ipaddr from 'ipaddr.js'

export type Hosts = ReturnType<typeof createHosts>

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * `allowed` has host names, addresses and CIDR ranges that may be called besides public addresses; `*` allows all.
 * @throws Error that names the entry at fault
 */
export function createHosts(allowed: readonly string[]) {
  const names = new Set<string>()
  const ranges: [Address, number][] = []
  const all = allowed.includes('*')
  for (const entry of allowed) {
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry))
    else if (ipaddr.isValid(entry)) ranges.push([ipaddr.parse(entry), entry.includes(':') ? 128 : 32])
    else if (/^[a-z0-9_][a-z0-9._-]*$/i.test(entry)) names.add(entry.toLowerCase())
    else if (entry !== '*')
      throw new Error(`PUSH_ALLOWED_HOSTS has "${entry}", which is no host name, address, CIDR range or *.`)
  }

  /** True for an address that is public or allowed. */
  function permitsAddress(text: string): boolean {
    if (all) return true
    if (!ipaddr.isValid(text)) return false
    const address = meant(ipaddr.parse(text))
    return isPublic(address) || ranges.some(([range, bits]) => isIn(address, range, bits))
  }

  /** True for a name that is allowed whatever its address is. */
  const permitsName = (name: string): boolean => all || names.has(name.toLowerCase())

  return { permitsAddress, permitsName }
}

/** The IPv4 address that an IPv6 one stands for, mapped or by the well-known prefix of NAT64; else the address itself. */
function meant(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return isIn(address, ipaddr.parse('64:ff9b::'), 96)
    ? new ipaddr.IPv4(address.toByteArray().slice(12))
    : address
}

/** Public IPv6 addresses are 2000::/3, but for what is reserved or translated in there. */
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' &&
  (address instanceof ipaddr.IPv4 || isIn(address, ipaddr.parse('2000::'), 3))

function isIn(address: Address, range: Address, bits: number): boolean {
  if (address instanceof ipaddr.IPv4 && range instanceof ipaddr.IPv4) return address.match(range, bits)
  if (address instanceof ipaddr.IPv6 && range instanceof ipaddr.IPv6) return address.match(range, bits)
  return false
}

/** The host of a URL as an address or a name: without the brackets of IPv6, or the dot that may end a name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
