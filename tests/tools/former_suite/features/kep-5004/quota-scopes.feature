@profile:since-1.35
Feature: Quotas with scopes count pods, and no claims
  The documents say nothing of scopes. In releases only pods are in a scope, so claims do not count there, whichever
  name of a class the quota has.

  Background:
    Given a device class "mygpuclass" for "example.com/gpu"
    And a node "dra"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
      | gpu-2  | dra  |
      | gpu-3  | dra  |

  Rule: Pods that end by themselves

    Background:
      Given the object
        """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: q, namespace: default}
        spec:
          hard:
            requests.example.com/gpu: 1
            requests.deviceclass.resource.kubernetes.io/mygpuclass: 1
            mygpuclass.deviceclass.resource.k8s.io/devices: 1
          scopes: [Terminating]
        """
      And a claim "c" requesting 2 devices of class "mygpuclass"

    @case:a-pod-that-requests-and-is-given-a-deadline-later
    @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario Outline: A pod that requests <amount> and is given a deadline later <what>
      Given a pod "p" that requests <amount> of "example.com/gpu"
      When the cluster settles
      And the Pod "p" is updated with
        | field                      | value |
        | spec.activeDeadlineSeconds | 3600  |
      Then it <what>
      When the cluster settles
      Then quota "q" counts <used> of "requests.example.com/gpu"

      Examples:
        | amount | what                     | used |
        | 1      | is stored                | 1    |
        | 2      | is rejected as Forbidden | 0    |
