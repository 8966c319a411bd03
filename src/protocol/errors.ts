// Error codes of JSON-RPC and AHP (SHAPES 15.1). Inside -32000…-32099 only these are used (ERR-1).
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const SESSION_NOT_FOUND = -32001;
export const PROVIDER_NOT_FOUND = -32002;
export const SESSION_ALREADY_EXISTS = -32003;
/** `data` is `{supportedVersions: string[]}`; the connection is closed afterwards. */
export const UNSUPPORTED_PROTOCOL_VERSION = -32005;
/** A chat, terminal, changeset, watch, file or client that is not there (ERR-4). */
export const NOT_FOUND = -32008;
