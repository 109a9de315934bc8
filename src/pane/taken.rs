//! The orders that this run of the client has taken: each is carried out once, however often the server lists it.

use std::collections::HashSet;

use uuid::Uuid;

use super::wire::Order;

/// Orders under way, and orders that are over but may still be listed.
///
/// An answer to the question for orders that was on its way while an order's outcome was told lists the order once more.
/// Its dialog may still be open, as after a skip: pressed now, the key would come against what was reported.
#[derive(Debug, Default)]
pub(super) struct Taken {
    under_way: HashSet<Uuid>,
    over: HashSet<Uuid>,
}

impl Taken {
    /// The orders that are over by now. A question that is asked after this learns of their end.
    pub(super) fn over(&self) -> HashSet<Uuid> {
        self.over.clone()
    }

    /// Takes what the server lists, and returns what has to be carried out. `over` was known before the question.
    pub(super) fn news(&mut self, mut listed: Vec<Order>, over: &HashSet<Uuid>) -> Vec<Order> {
        let still: HashSet<Uuid> = listed.iter().map(|order| order.id).collect();
        self.over.retain(|id| !over.contains(id) || still.contains(id));
        listed.retain(|order| !self.over.contains(&order.id) && self.under_way.insert(order.id));
        listed
    }

    /// An order is over, and the server has heard it.
    pub(super) fn done(&mut self, id: Uuid) {
        self.under_way.remove(&id);
        self.over.insert(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(id: u128) -> Order {
        let id = Uuid::from_u128(id);
        serde_json::from_value(serde_json::json!({
            "id": id, "kind": "answer", "pane": "main.1", "instance": null, "dialog_id": null, "digest": null,
            "option": null, "text": null, "deny": false, "msg_ids": null, "trigger": "dialog", "taken": true,
            "lease_until": null,
        }))
        .unwrap()
    }

    fn new(taken: &mut Taken, listed: &[u128], over: &HashSet<Uuid>) -> Vec<u128> {
        let listed = listed.iter().copied().map(order).collect();
        taken.news(listed, over).iter().map(|order| order.id.as_u128()).collect()
    }

    #[test]
    fn an_answer_that_was_on_its_way_brings_no_order_twice() {
        let mut taken = Taken::default();
        let before = taken.over();
        assert_eq!(new(&mut taken, &[1, 2], &before), [1, 2]);
        assert_eq!(new(&mut taken, &[1, 2], &before), [0; 0]);
        taken.done(Uuid::from_u128(1));
        // Asked before it was over, answered after.
        assert_eq!(new(&mut taken, &[1, 2, 3], &before), [3]);
        // Asked after: it is listed only if the server did not take what was told, and then it is still no news.
        let after = taken.over();
        assert_eq!(new(&mut taken, &[1, 2], &after), [0; 0]);
        assert_eq!(new(&mut taken, &[2], &after), [0; 0]);
        assert!(taken.over().is_empty());
        assert_eq!(new(&mut taken, &[2, 3], &after), [0; 0], "they are under way");
    }
}
