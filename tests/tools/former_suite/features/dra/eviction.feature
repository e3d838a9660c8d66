Feature: Eviction of pods from tainted devices
  A NoExecute taint evicts running pods that use the device: the device taint eviction controller deletes them.
  A toleration in the ResourceClaim prevents the eviction, or delays it counted from the time the taint was
  added.

  Background:
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  @profile:kep @profile:since-1.35
  Rule: Tolerations that prevent eviction

    @case:toleration-of-other-request
    @DRA/eviction/tolerating-pods-stay @DRA/eviction/noexecute-deletes-running-pods
    Scenario Outline: Only tolerations of the request with the tainted device prevent its pod's eviction
      Given a device class "left" that selects
        """
        device.driver == "left.example.com"
        """
      And a device class "right" that selects
        """
        device.driver == "dra.example.com"
        """
      And the device
        | device | driver           | pool |
        | l-0    | left.example.com | left |
      And a claim "c" with the requests
        | request | class | count | tolerations |
        | first   | left  | 1     | <first>     |
        | second  | right | 2     | <second>    |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-1"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then <then>

      Examples:
        | outcome | first            | second           | then                       |
        | stays   |                  | broken:NoExecute | pod "p" runs               |
        | goes    | broken:NoExecute |                  | the Pod "p" does not exist |

  @profile:kep @profile:since-1.35
  Rule: Tolerations that delay eviction

    @case:toleration-seconds-delay
    @DRA/toleration/delays-eviction
    Scenario Outline: Eviction is delayed by tolerationSeconds, counted from the time the taint was added
      Given a claim "c" with the request
        | count | tolerations                    |
        | 2     | broken:NoExecute for <seconds>s |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And <before> seconds pass
      And the cluster settles
      Then pod "p" runs
      When <after> seconds pass
      And the cluster settles
      Then the Pod "p" does not exist

      Examples:
        | seconds | before | after |
        | 300     | 299    | 1     |
        | 30      | 22     | 8     |

  @profile:kep @profile:since-1.35
  Rule: Eviction by DeviceTaintRules

    @case:deleted-rule-cancels
    @DRA/taint-rule/lifetime @DRA/eviction/removed-taint-cancels
    Scenario: Deleting a DeviceTaintRule before the delay has passed cancels the eviction
      Given a claim "c" with the request
        | count | tolerations              |
        | 2     | repair:NoExecute for 30s |
      And the device taint rule "r"
        | device | taint            |
        | gpu-0  | repair:NoExecute |
      And a pod "p" that uses claim "c"
      And a pod "waiting" without claims
      When the cluster settles
      Then pod "p" runs
      When 20 seconds pass
      And the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is deleted
      And the cluster settles
      Then since Kubernetes 1.34, because the document does not say what is told of it: an event DeviceTaintManagerEviction is told of pod "p"
      When 3600 seconds pass
      And the cluster settles
      Then pod "p" runs
      And claim "c" keeps its allocation
