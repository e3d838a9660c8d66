Feature: Server-side apply of nodeAllocatableResourceClaimStatuses
  The list is atomic: one field manager owns it as a whole. An entry has `mapping` in place of `resources` since 1.37,
  and an apply with a field that the release does not have is rejected.

  Background:
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        resourceClaims: [{name: c, resourceClaimName: c}, {name: d, resourceClaimName: d}]
        containers:
          - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: c}, {name: d}]}}
      """

  @case:forced-apply-replaces-list
  @KEP-5517/status/list-replaced-as-a-whole
  Scenario Outline: A forced apply <effect>
    When field manager "one" applies the status of this object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      status:
        nodeAllocatableResourceClaimStatuses:
          - {resourceClaimName: c, containers: [main], <quantities>}
      """
    Then the field "status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName" is set to c
    When field manager "two" applies the status of this object by force
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      status:
        nodeAllocatableResourceClaimStatuses:
          - {resourceClaimName: d, containers: [main], <quantities>}
      """
    Then the object is stored with
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | d     |
      | status.nodeAllocatableResourceClaimStatuses[1]                   |       |
    But since Kubernetes 1.37, because the list is a map by ResourceClaim in these releases: the object is stored with
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |
      | status.nodeAllocatableResourceClaimStatuses[1].resourceClaimName | d     |

      @profile:kep @profile:from-1.36-to-1.36
      Examples:
        | quantities            | effect                                        |
        | resources: {cpu: "2"} | replaces all entries of another field manager |

      @profile:since-1.37
      Examples:
        | quantities                            | effect                                                |
        | mapping: [{name: cpu, quantity: "2"}] | keeps the entries of another field manager since 1.37 |

  @case:unforced-apply-conflicts
  @KEP-5517/status/list-replaced-as-a-whole
  Scenario Outline: An apply without force <effect>
    When field manager "one" applies the status of this object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      status:
        nodeAllocatableResourceClaimStatuses:
          - {resourceClaimName: c, containers: [main], <quantities>}
      """
    Then the field "status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName" is set to c
    When field manager "two" applies the status of this object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      status:
        nodeAllocatableResourceClaimStatuses:
          - {resourceClaimName: d, containers: [main], <quantities>}
      """
    Then the object is rejected as Conflict
    But since Kubernetes 1.37, because the list is a map by ResourceClaim in these releases: the object is stored with
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |
      | status.nodeAllocatableResourceClaimStatuses[1].resourceClaimName | d     |

      @profile:kep @profile:from-1.36-to-1.36
      Examples:
        | quantities            | effect                                                   |
        | resources: {cpu: "2"} | cannot add an entry to the list of another field manager |

      @profile:since-1.37
      Examples:
        | quantities                            | effect                                                           |
        | mapping: [{name: cpu, quantity: "2"}] | can add an entry to the list of another field manager since 1.37 |
