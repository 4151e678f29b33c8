/** The signals by which a terminal, systemd or a person stops the service, its converter of pictures, or a command. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
