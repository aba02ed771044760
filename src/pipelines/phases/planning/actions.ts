/** Actions that a person confirms in every mode, whether the plan declares them or the engine detects them. */
export const APPROVAL_ACTIONS = [
  "destructive_file_delete",
  "bulk_contract_rewrite",
  "git_force_push",
  "git_reset_hard",
  "drop_table",
  "rm_rf",
  "amend_published_commit",
  "merge_to_protected_branch",
  "push_to_shared_infrastructure",
] as const;
export type ApprovalAction = (typeof APPROVAL_ACTIONS)[number];

type Patterns = Readonly<Partial<Record<ApprovalAction, readonly RegExp[]>>>;

/** Commands and statements as typed: a program with its verb, SQL in capitals or in quotes. */
const COMMAND_PATTERNS: Patterns = {
  rm_rf: [
    /\brm\s+(?:-\S+\s+)*-\w*(?:r\w*f|f\w*r)\w*\b/g,
    /\brm\s+(?:-r\s+-f|-f\s+-r|--recursive\s+--force)\b/g,
    /\bgit\s+clean\s+-\w*f/g,
    /\bfind\s[^\n;|]*\s-delete\b/g,
  ],
  destructive_file_delete: [
    /\b(?:aws\s+s3|gsutil(?:\s+-m)?)\s+(?:rm|rb)\b/g,
    /\bmkfs(?:\.\w+)?\s+\//g,
    /\bof=\/dev\//g,
  ],
  drop_table: [
    /\bDROP\s+(?:TABLE|DATABASE|SCHEMA|COLUMN)\b/g,
    /\bTRUNCATE\s+(?:TABLE\s+)?\w/g,
    /\bDELETE\s+FROM\s+\w/g,
    /[`"'][^`"'\n]*\b(?:drop\s+(?:table|database|schema|column)|truncate\s+table|delete\s+from)\b/gi,
    /\bdb:(?:drop|reset)\b|\bmigrate\s+reset\b|\bdropdb\s|\bFLUSHALL\b|\bdropDatabase\(/g,
  ],
  git_force_push: [/\bgit\s+push\b[^\n;|]*\s(?:--force(?:-with-lease)?|-f)(?:\s|$|[`"'.,])/g],
  git_reset_hard: [/\bgit\s+reset\b[^\n;|]*\s--hard\b/g],
  amend_published_commit: [/\bgit\s+commit\b[^\n;|]*\s--amend\b/g, /\bgit\s+filter-(?:branch|repo)\b/g],
  merge_to_protected_branch: [
    /\bgit\s+push\s+\S+\s+(?:\S+:)?(?:main|master|release\S*)(?:\s|$|[`"'.,])/g,
    /\bgh\s+pr\s+merge\b/g,
  ],
  push_to_shared_infrastructure: [
    /\b(?:terraform|pulumi|cdk)\s+(?:apply|destroy|up|deploy)\b/g,
    /\bkubectl\s+(?:apply|delete|drain|replace|scale|rollout)\b|\bhelm\s+(?:install|upgrade|uninstall|rollback)\b/g,
    /\b(?:npm|pnpm|yarn|cargo|poetry|uv|lerna)\s+publish\b(?![^\n;|]*--dry-run)|\btwine\s+upload\b|\bgem\s+push\b/g,
    /\bdocker\s+(?:image\s+)?push\b|\bdocker\s+(?:volume|system)\s+(?:rm|prune)\b|\bgh\s+release\s+create\b/g,
    /\b(?:serverless|vercel|netlify|firebase|flyctl|heroku)\s+(?:deploy|destroy|remove)\b|\bansible-playbook\s/g,
  ],
};

/** Detects actions from commands in a text, whatever the prose around them says. */
export const detectTypedActions = (text: string): readonly ApprovalAction[] => matchActions(text, COMMAND_PATTERNS);

/** A migration whose name says that it removes something. */
const DROPPING = /(?:^|\/)migrations?\/(?:[^/]*[_-])?(?:drop|truncate|purge|wipe)[_-]/i;

export const detectFileActions = (paths: readonly string[]): readonly ApprovalAction[] =>
  paths.some((path) => DROPPING.test(path)) ? ["drop_table"] : [];

/** Actions as prose names them. Prose misleads in both directions, so it is read only where nothing is declared. */
const PROSE_PATTERNS: Patterns = {
  destructive_file_delete: [
    /\b(?:delet|eras|wip|purg|remov)\w*\s+(?:\w+\s+){0,3}?(?:files?|folders?|director(?:y|ies)|data)\b/gi,
  ],
  bulk_contract_rewrite: [
    /\b(?:bulk|all|every)\b[^.]{0,30}\bcontracts?\b[^.]{0,30}\brewrit\w*/gi,
    /\brewrit\w*\s+(?:all|every)\b[^.]{0,30}\b(?:contract|schema)s?\b|\bbulk\s+(?:contract|schema)\b/gi,
  ],
  git_force_push: [/\bforce[- ]?push\w*|\bpush\s+(?:\S+\s+){0,2}(?:--force\S*|-f\b)/gi],
  git_reset_hard: [/\breset\s+--hard\b|\bhard[- ]reset\w*/gi],
  drop_table: [/\bdrop\w*\s+(?:the\s+)?(?:\w+\s+)?(?:tables?|databases?|columns?)\b/gi],
  rm_rf: [/\brm\s+-(?:rf|fr|r\s+-f|f\s+-r)\b/gi],
  amend_published_commit: [/\bcommit\s+--amend\b|\bamend\w*\s+(?:\w+\s+){0,3}?commits?\b/gi],
  merge_to_protected_branch: [
    /\bmerg\w*\s+(?:\w+\s+){0,3}?(?:in)?to\s+(?:the\s+)?(?:protected|main|master|release)\b/gi,
  ],
  push_to_shared_infrastructure: [
    /\b(?:push|deploy|publish|roll)\w*\s+(?:\w+\s+){0,3}?(?:to|on|in)\s+(?:the\s+)?(?:shared|production|staging|live)\b/gi,
  ],
};

export const detectWordedActions = (text: string): readonly ApprovalAction[] => matchActions(text, PROSE_PATTERNS);

const LOSING = [
  /\birreversibl\w*|\bcannot be undone\b|\bdata[- ]loss\b|\blos(?:e|es|ing)\s+(?:\w+\s+)?data\b|\bbroad side[- ]effects?\b/gi,
];

/** True if prose mentions permanent loss. */
export const hasLossWording = (text: string): boolean => isMentioned(text, LOSING);

/** A negated action is not planned: "never delete files" requests nothing. */
const DENIED = /\b(?:no|not|never|without|avoid\w*|prevent\w*|nor|nothing)\b[^.;]{0,24}$|n't\b[^.;]{0,24}$/i;

const matchActions = (text: string, patterns: Patterns): readonly ApprovalAction[] =>
  APPROVAL_ACTIONS.filter((action) => text.includes(action) || isMentioned(text, patterns[action] ?? []));

const isMentioned = (text: string, patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => [...text.matchAll(pattern)].some((match) => !DENIED.test(text.slice(0, match.index))));
