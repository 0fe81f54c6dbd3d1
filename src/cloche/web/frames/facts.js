// deno-fmt-ignore-file
// @ts-check
// Written by tools/protocol_facts.py from what Python knows: change that, then run `make web`.
/** The two-phase protocol: who may say what when. */
/** @typedef {Record<string, Record<string, string[]>>} Table */
/** The version of the transport phase. @type {string} */
export const PROTOCOL_VERSION = "1.0";
/** What an outer page chooses from, unless it is told otherwise. @type {string[]} */
export const SUPPORTED_VERSIONS = ["1.0"];
/** Every step of the outer page: state, event, next state and effect. @type {Table} */
export const OUTER = {
  "idle": {
    "setup": ["loading setup", "navigate"],
    "connect": ["loading", "navigate"],
    "close": ["closed", ""]
  },
  "loading setup": {
    "MCP_SETUP_HANDSHAKE": ["deciding", "decide"],
    "MCP_SETUP_COMPLETE with an error": ["failed", "give up"],
    "fail": ["failed", "refuse"],
    "gone": ["failed", "give up"],
    "close": ["closed", "refuse"]
  },
  "deciding": {
    "MCP_SETUP_HANDSHAKE": ["deciding", ""],
    "MCP_SETUP_COMPLETE with an error": ["failed", "give up"],
    "grant": ["configuring", "reply"],
    "load again": ["loading setup", "navigate"],
    "fail": ["failed", "refuse"],
    "gone": ["failed", "give up"],
    "close": ["closed", "refuse"]
  },
  "configuring": {
    "MCP_SETUP_HANDSHAKE": ["configuring", "reply"],
    "MCP_SETUP_COMPLETE": ["configured", "complete"],
    "MCP_SETUP_COMPLETE with an error": ["failed", "give up"],
    "fail": ["failed", "refuse"],
    "gone": ["failed", "give up"],
    "close": ["closed", "refuse"]
  },
  "configured": {
    "setup": ["loading setup", "navigate"],
    "connect": ["loading", "navigate"],
    "close": ["closed", ""]
  },
  "loading": {
    "MCP_TRANSPORT_HANDSHAKE": ["replied", "reply"],
    "MCP_SETUP_REQUIRED with an error": ["failed", "give up"],
    "fail": ["failed", "refuse"],
    "gone": ["failed", "give up"],
    "close": ["closed", "refuse"]
  },
  "replied": {
    "MCP_TRANSPORT_HANDSHAKE": ["replied", "reply"],
    "MCP_TRANSPORT_ACCEPTED": ["connected", "connect"],
    "MCP_SETUP_REQUIRED that cannot continue": ["setup required", "require setup"],
    "MCP_SETUP_REQUIRED with an error": ["failed", "give up"],
    "fail": ["failed", "refuse"],
    "gone": ["failed", "give up"],
    "close": ["closed", "refuse"]
  },
  "connected": {
    "MCP_MESSAGE": ["connected", "deliver"],
    "MCP_SETUP_REQUIRED": ["connected", "tell of setup"],
    "MCP_SETUP_REQUIRED that cannot continue": ["setup required", "require setup"],
    "MCP_SETUP_REQUIRED with an error": ["failed", "give up"],
    "MCP_TRANSPORT_HANDSHAKE": ["reloaded", "lose"],
    "fail": ["failed", "refuse"],
    "gone": ["lost", "lose"],
    "close": ["closed", "refuse"]
  },
  "lost": {
    "setup": ["loading setup", "navigate"],
    "connect": ["loading", "navigate"],
    "close": ["closed", ""],
    "MCP_TRANSPORT_HANDSHAKE": ["reloaded", "remember"]
  },
  "reloaded": {
    "setup": ["loading setup", "navigate"],
    "connect": ["replied", "take up"],
    "close": ["closed", ""],
    "MCP_TRANSPORT_HANDSHAKE": ["reloaded", "remember"],
    "load again": ["loading", "navigate"]
  },
  "setup required": {
    "setup": ["loading setup", "navigate"],
    "connect": ["loading", "navigate"],
    "close": ["closed", ""]
  },
  "failed": {
    "setup": ["loading setup", "navigate"],
    "connect": ["loading", "navigate"],
    "close": ["closed", ""]
  },
  "closed": {}
};
/** Every step of the inner page. @type {Table} */
export const INNER = {
  "idle": {
    "setup": ["announcing setup", "announce"],
    "connect": ["announcing", "announce"],
    "close": ["closed", ""]
  },
  "announcing setup": {
    "MCP_SETUP_HANDSHAKE_REPLY": ["configuring", "pin"],
    "MCP_SETUP_HANDSHAKE_REPLY with an error": ["failed", "give up"],
    "fail": ["failed", "tell"],
    "gone": ["failed", "give up"],
    "close": ["closed", "tell"]
  },
  "configuring": {
    "MCP_SETUP_HANDSHAKE_REPLY": ["configuring", ""],
    "MCP_SETUP_HANDSHAKE_REPLY with an error": ["failed", "give up"],
    "complete": ["configured", "send"],
    "fail": ["failed", "tell"],
    "gone": ["failed", "give up"],
    "close": ["closed", "tell"]
  },
  "configured": {
    "connect": ["announcing", "announce"],
    "close": ["closed", ""]
  },
  "announcing": {
    "MCP_TRANSPORT_HANDSHAKE_REPLY": ["connected", "accept"],
    "MCP_TRANSPORT_HANDSHAKE_REPLY with an error": ["failed", "give up"],
    "fail": ["failed", "tell"],
    "gone": ["failed", "give up"],
    "close": ["closed", "tell"]
  },
  "connected": {
    "MCP_MESSAGE": ["connected", "deliver"],
    "MCP_TRANSPORT_HANDSHAKE_REPLY": ["connected", ""],
    "MCP_TRANSPORT_HANDSHAKE_REPLY with an error": ["failed", "give up"],
    "require setup": ["connected", "send"],
    "require setup now": ["setup required", "send"],
    "fail": ["failed", "tell"],
    "gone": ["closed", "end"],
    "close": ["closed", "end"]
  },
  "setup required": {
    "close": ["closed", ""]
  },
  "failed": {
    "setup": ["announcing setup", "announce"],
    "connect": ["announcing", "announce"],
    "close": ["closed", ""]
  },
  "closed": {}
};
/** Which time-out ends a state. @type {Record<string, string>} */
export const OUTER_DEADLINES = {
  "loading setup": "handshake",
  "deciding": "consent",
  "configuring": "setup",
  "loading": "handshake",
  "replied": "handshake"
};
/** Which time-out ends a state. @type {Record<string, string>} */
export const INNER_DEADLINES = {
  "announcing setup": "handshake",
  "announcing": "handshake"
};
/** Milliseconds; 0 for a wait without end. @type {Record<string, number>} */
export const TIMEOUTS = {
  "handshake": 30000,
  "consent": 25000,
  "setup": 0
};
/** Milliseconds from one announcement to the next. @type {number[]} */
export const ANNOUNCE_AFTER = [0, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800];
/** How often one setup phase may load the inner page. @type {number} */
export const NAVIGATIONS = 2;
/** What a program is told that calls too early or too late. @type {Record<string, string>} */
export const REFUSALS = {
  "setup": "Transport already in use: make another one for the setup phase, or close this one first",
  "connect": "Transport already in use: make another one for the transport phase, or close this one first",
  "complete": "Must call prepareSetup() first",
  "require setup": "Must call prepareToConnect() first",
  "require setup now": "Must call prepareToConnect() first",
  "MCP_MESSAGE": "Transport not ready: call prepareToConnect() first, and wait for it"
};
/** What it is told when the transport is closed. @type {string} */
export const CLOSED = "Transport already closed: make another one";
/** What it is told that completes a setup twice. @type {string} */
export const COMPLETED = "Setup already completed";
/** Why a setup can fail. @type {string[]} */
export const SETUP_ERROR_CODES = ["USER_CANCELLED", "AUTH_FAILED", "TIMEOUT", "CONFIG_ERROR", "VERSION_MISMATCH", "INSUFFICIENT_PERMISSIONS"];
/** Why a setup can be required again. @type {string[]} */
export const SETUP_REASONS = ["AUTH_EXPIRED", "CONFIG_CHANGED", "PERMISSIONS_CHANGED", "OTHER"];
/** What each message must look like, by its type. @type {Record<string, any>} */
export const SCHEMAS = {
  "$defs": {
    "MCP_SETUP_HANDSHAKE": {
      "type": "object",
      "properties": {
        "type": {
          "enum": ["MCP_SETUP_HANDSHAKE"]
        },
        "minProtocolVersion": {
          "type": "string",
          "pattern": "^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$"
        },
        "maxProtocolVersion": {
          "type": "string",
          "pattern": "^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$"
        },
        "requiresVisibleSetup": {
          "type": "boolean"
        },
        "requestedPermissions": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/PermissionRequirement"
          },
          "maxItems": 32
        },
        "documentId": {
          "type": "string",
          "maxLength": 64
        }
      },
      "required": ["type", "minProtocolVersion", "maxProtocolVersion", "requiresVisibleSetup"]
    },
    "PermissionRequirement": {
      "type": "object",
      "properties": {
        "name": {
          "type": "string",
          "pattern": "^[a-z][a-z0-9-]{0,63}$"
        },
        "phase": {
          "type": "array",
          "items": {
            "enum": ["setup", "transport"]
          },
          "maxItems": 2,
          "minItems": 1
        },
        "required": {
          "type": "boolean"
        },
        "purpose": {
          "type": "string",
          "maxLength": 500
        }
      },
      "required": ["name", "phase", "required", "purpose"]
    },
    "MCP_SETUP_COMPLETE": {
      "type": "object",
      "properties": {
        "type": {
          "enum": ["MCP_SETUP_COMPLETE"]
        },
        "status": {
          "enum": ["error", "success"]
        },
        "displayName": {
          "type": "string",
          "maxLength": 200
        },
        "transportVisibility": {
          "$ref": "#/$defs/TransportVisibility"
        },
        "ephemeralMessage": {
          "type": "string",
          "maxLength": 1000
        },
        "error": {
          "$ref": "#/$defs/SetupErrorDetails"
        }
      },
      "required": ["type", "status", "displayName", "transportVisibility"],
      "if": {
        "properties": {
          "status": {
            "const": "error"
          }
        }
      },
      "then": {
        "required": ["error"]
      },
      "else": {
        "not": {
          "required": ["error"]
        }
      }
    },
    "TransportVisibility": {
      "type": "object",
      "properties": {
        "requirement": {
          "enum": ["hidden", "optional", "required"]
        },
        "description": {
          "type": "string",
          "maxLength": 500
        }
      },
      "required": ["requirement"]
    },
    "SetupErrorDetails": {
      "type": "object",
      "properties": {
        "code": {
          "enum": ["AUTH_FAILED", "CONFIG_ERROR", "INSUFFICIENT_PERMISSIONS", "TIMEOUT", "USER_CANCELLED", "VERSION_MISMATCH"]
        },
        "message": {
          "type": "string",
          "maxLength": 700
        }
      },
      "required": ["code", "message"]
    },
    "MCP_TRANSPORT_HANDSHAKE": {
      "type": "object",
      "properties": {
        "type": {
          "enum": ["MCP_TRANSPORT_HANDSHAKE"]
        },
        "protocolVersion": {
          "type": "string",
          "pattern": "^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$"
        },
        "documentId": {
          "type": "string",
          "maxLength": 64
        }
      },
      "required": ["type", "protocolVersion"]
    },
    "MCP_TRANSPORT_ACCEPTED": {
      "type": "object",
      "properties": {
        "type": {
          "enum": ["MCP_TRANSPORT_ACCEPTED"]
        },
        "sessionId": {
          "type": "string",
          "maxLength": 200,
          "pattern": "^[!-~]+$"
        }
      },
      "required": ["type", "sessionId"]
    },
    "MCP_MESSAGE": {
      "type": "object",
      "properties": {
        "type": {
          "enum": ["MCP_MESSAGE"]
        },
        "payload": {
          "type": "object"
        }
      },
      "required": ["type", "payload"]
    },
    "MCP_SETUP_REQUIRED": {
      "type": "object",
      "properties": {
        "type": {
          "enum": ["MCP_SETUP_REQUIRED"]
        },
        "reason": {
          "enum": ["AUTH_EXPIRED", "CONFIG_CHANGED", "OTHER", "PERMISSIONS_CHANGED"]
        },
        "message": {
          "type": "string",
          "maxLength": 700
        },
        "canContinue": {
          "type": "boolean"
        },
        "error": {
          "$ref": "#/$defs/SetupErrorDetails"
        }
      },
      "required": ["type", "reason", "message", "canContinue"]
    },
    "MCP_SETUP_HANDSHAKE_REPLY": {
      "type": "object",
      "properties": {
        "type": {
          "enum": ["MCP_SETUP_HANDSHAKE_REPLY"]
        },
        "protocolVersion": {
          "type": "string",
          "pattern": "^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$"
        },
        "sessionId": {
          "type": "string",
          "maxLength": 200,
          "pattern": "^[!-~]+$"
        },
        "error": {
          "$ref": "#/$defs/SetupErrorDetails"
        }
      },
      "required": ["type"],
      "if": {
        "not": {
          "required": ["error"]
        }
      },
      "then": {
        "required": ["protocolVersion", "sessionId"]
      }
    },
    "MCP_TRANSPORT_HANDSHAKE_REPLY": {
      "type": "object",
      "properties": {
        "type": {
          "enum": ["MCP_TRANSPORT_HANDSHAKE_REPLY"]
        },
        "sessionId": {
          "type": "string",
          "maxLength": 200,
          "pattern": "^[!-~]+$"
        },
        "protocolVersion": {
          "type": "string",
          "pattern": "^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$"
        },
        "error": {
          "$ref": "#/$defs/SetupErrorDetails"
        }
      },
      "required": ["type"],
      "if": {
        "not": {
          "required": ["error"]
        }
      },
      "then": {
        "required": ["protocolVersion", "sessionId"]
      }
    }
  }
};
