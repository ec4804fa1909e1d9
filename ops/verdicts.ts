/** How long the authorizer and the sender may go on by what they read before. */
export const NOTICED_WITHIN = '60 seconds';
