// What we use of the library, built into one file of its own.
export { agent, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk'
