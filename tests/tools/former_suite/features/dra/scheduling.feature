@profile:kep @profile:since-1.34
Feature: Scheduling of pods with ResourceClaims
  A pod is assigned to a node that can run it and that can access available devices for all of its
  ResourceClaims. Until there is such a node, the pod stays Pending.

  Rule: Suitable nodes and available devices

    @case:node-selector-two-labels
    @DRA/node-access/node-must-suit-pod
    Scenario Outline: A pod is allocated the device of a node only if the node has both selected labels
      Given a node "n1" with the labels
        | label | value  |
        | zone  | <zone> |
        | disk  | <disk> |
      And the devices
        | device | node |
        | gpu-0  | n1   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field             | value                |
        | spec.nodeSelector | {zone: a, disk: ssd} |
      And the cluster settles
      Then pod "p" <state>

      Examples:
        | labels          | zone | disk | state             |
        | both            | a    | ssd  | runs on node "n1" |
        | the zone only   | a    | hdd  | is pending        |
        | the disk only   | b    | ssd  | is pending        |
